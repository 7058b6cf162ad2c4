import { describeRecorder } from './recorder.suite.ts';

describeRecorder();
