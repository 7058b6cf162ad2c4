export { captureSnapshot } from './capture.ts';
