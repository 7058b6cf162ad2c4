export type { Answer } from './answers.ts';
export { ServiceClient, ServiceError } from './client.ts';
export { startService, type RunningService } from './server.ts';
export { LocalJournal } from './local-journal.ts';
export { createLog } from './log.ts';
export { defaultStore, openStore } from './stores/open.ts';
export { storedToken, tokenProblem } from './token.ts';
