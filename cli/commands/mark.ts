import { askCommand } from '../ask.ts';

export const mark = askCommand(
  'mark',
  'mark',
  'Tells the service that pages were seen: addresses in; fresh, or seen before, out.',
);
