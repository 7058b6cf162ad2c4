import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBeyond } from './LiveValues.tsx';
import { sparkPoints } from './Sparkline.tsx';

describe('a spark line', () => {
  it('stays in its drawing, runs from left to right, higher for more', () => {
    const value = fc.double({ min: -1e12, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
        const points = sparkPoints(values);
        expect(points).toHaveLength(values.length);
        for (const [index, [x, y]] of points.entries()) {
          expect(x >= 0 && x <= 160 && y >= 0 && y <= 20).toBe(true);
          if (index > 0) expect(x).toBeGreaterThan(points[index - 1]![0]);
          if (index > 0 && values[index]! > values[index - 1]!)
            expect(y).toBeLessThanOrEqual(points[index - 1]![1]);
        }
      }),
    );
  });

  it('of one value lies in the middle', () => {
    expect(sparkPoints([7])).toEqual([[3, 10]]);
    expect(sparkPoints([7, 7])).toEqual([
      [3, 10],
      [157, 10],
    ]);
  });
});

describe('a limit', () => {
  it.each([
    [500, { above: 500 }, false],
    [501, { above: 500 }, true],
    [4, { below: 5 }, true],
    [5, { below: 5 }, false],
    [6, { above: 10, below: 5 }, false],
    [6, {}, false],
  ])('%d beyond %j: %s', (value, bounds, beyond) => {
    expect(isBeyond(value, { value: 'name', ...bounds })).toBe(beyond);
  });
});
