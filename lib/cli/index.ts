#!/usr/bin/env node
import { run } from './command.line.js';

// What the app has opened, such as a database, would keep the process alive.
void run(process.argv.slice(2), process).then((code) => process.exit(code));
