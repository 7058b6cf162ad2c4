import { describeLooks } from './looks.suite.ts';

describeLooks();
