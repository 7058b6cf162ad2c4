export { startService, type RunningService, type ServiceOptions } from './server.ts';
export { createLog } from './log.ts';
export { defaultStore, openStore } from './stores/open.ts';
export { storedToken, tokenProblem } from './token.ts';
