// Runs in front of each test file, in the file's own world, and watches it: no secret the file uses
// may leave. Watching changes nothing.
import { LeakWatch, WATCH } from './leak.watch.js';
import { observeOutput } from './output.observer.js';
import { observeToolkit } from './toolkit.observer.js';
import { observeWire } from './wire.observer.js';

const watch = new LeakWatch();
Object.defineProperty(globalThis, WATCH, { value: watch });
observeToolkit(watch);
observeWire(watch);
observeOutput(watch);
