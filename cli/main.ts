import { run } from './run.ts';
import { processTerminal } from './terminal.ts';

// Not process.exit(): what was written must arrive.
process.exitCode = await run(process.argv.slice(2), processTerminal());
