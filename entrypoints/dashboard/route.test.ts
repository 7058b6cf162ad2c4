import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHOWS } from '../views/list-parts.ts';
import { WATCH_FILTERS } from '../views/watches.ts';
import { formatRoute, parseRoute, VIEWS, type Route } from './route.ts';

describe('routes', () => {
  it('lead back to themselves, whatever a key or a search holds', () => {
    const text = fc.string({ minLength: 1, unit: 'binary' }).filter((value) => value.isWellFormed());
    const version = fc.record({ space: text, seq: fc.nat() });
    fc.assert(
      fc.property(
        fc.record(
          {
            view: fc.constantFrom(...VIEWS),
            round: text,
            base: text,
            show: fc.constantFrom(...SHOWS.filter((show) => show !== 'all')),
            host: text,
            prefix: text,
            q: text,
            page: text,
            a: text,
            b: text,
            watch: text,
            only: fc.constantFrom(...WATCH_FILTERS),
            from: version,
            to: version,
            by: text,
          },
          { requiredKeys: ['view'] },
        ),
        (route) => {
          expect(parseRoute(formatRoute(route as Route))).toEqual(route);
        },
      ),
    );
  });

  it.each(['', '#', '#/', '#/nowhere', '#nowhere?x=1', '#/%E0%A4%A'])('%s shows the rounds', (hash) => {
    expect(parseRoute(hash)).toEqual({ view: 'rounds' });
  });

  it('leaves out what it does not understand', () => {
    expect(parseRoute('#/pages?show=everything&round=&x=1')).toEqual({ view: 'pages' });
  });
});
