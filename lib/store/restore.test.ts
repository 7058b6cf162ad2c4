import { describeRestore } from './restore.suite.ts';

describeRestore();
