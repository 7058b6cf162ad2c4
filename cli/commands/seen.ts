import { askCommand } from '../ask.ts';

export const seen = askCommand(
  'seen',
  'is_seen',
  'Asks the service whether pages were seen: addresses in; fresh, seen, leased or retry_at out.',
);
