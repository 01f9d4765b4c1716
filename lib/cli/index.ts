#!/usr/bin/env node
import { run } from './command-line.js';

// The first signal ends the run in order: a token that is being exchanged has to be stored. A
// second signal ends the process at once.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interruption.abort());

// An open resource of the app, such as a database, would keep the process alive.
void run(process.argv.slice(2), process, interruption.signal).then((code) => process.exit(code));
