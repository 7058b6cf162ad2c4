import { expect, it } from 'vitest';
import { keyOf, LINKS, nextRound, progress, START, visit } from './practice.ts';

it('shows a first visit, a duplicate by another address, a change and a page that is gone', () => {
  let practice = START;
  expect(progress(practice)).toEqual({ visited: 0, total: LINKS.length - 1 });
  practice = visit(practice, '/orders');
  expect(practice.last).toMatchObject({ isDuplicate: false, state: 'visited', steps: [] });
  practice = visit(practice, '/orders?utm_source=mail');
  expect(practice.last).toMatchObject({ isDuplicate: true, key: keyOf('/orders') });
  expect(practice.last?.steps.length).toBeGreaterThan(0);
  expect(progress(practice).visited).toBe(1);
  practice = visit(visit(practice, '/board'), '/plan-2025');
  expect(practice.pages.get(keyOf('/board'))).toBe('visited');

  practice = visit(nextRound(), '/board');
  expect(practice.last).toMatchObject({ state: 'changed', numbers: [12, 480], isDuplicate: false });
  practice = visit(practice, '/plan-2025');
  expect(practice.last?.state).toBe('gone');
});
