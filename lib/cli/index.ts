#!/usr/bin/env node
import { run } from './command-line.js';

// What is under way is ended in order: a token that is being traded has to be stored. Who cannot
// wait sends the signal twice.
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interruption.abort());

// What the app has opened, such as a database, would keep the process alive.
void run(process.argv.slice(2), process, interruption.signal).then((code) => process.exit(code));
