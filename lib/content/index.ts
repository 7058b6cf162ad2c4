export { captureSnapshot } from './capture.ts';
export { compareSnapshots } from './compare.ts';
