#!/usr/bin/env node
import { run } from './command-line.js';

// The first signal ends the run in order: a token that is being exchanged has to be stored. A
// second signal ends the process at once.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interruption.abort());

// The run waits, and nothing is left that could go on, such as for a module of the app with an
// `await` that has no end. Node would exit with 0, as after a success.
process.once('beforeExit', () => {
  process.stderr.write('The command did not come to its end: it waits for what never happens.\n');
  process.exitCode = 1;
});

// An open resource of the app, such as a database, would keep the process alive.
void run(process.argv.slice(2), process, interruption.signal).then((code) => process.exit(code));
