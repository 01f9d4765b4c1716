import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./host.process.mjs', import.meta.url));

/** A host in another process. */
export class Host {
  #child;
  #waiting = new Map();
  #asked = 0;
  /** What ended it, when nobody has told it to end. */
  ended;

  constructor(name) {
    this.name = name;
  }

  /** @param program what runs in the process @default the hosts of this folder */
  async open(program = PROGRAM) {
    this.ended = undefined;
    this.#child = fork(program, [this.name], {
      silent: true,
      serialization: 'advanced',
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
    });
    let printed = '';
    this.#child.stderr.on('data', (text) => (printed += text));
    await new Promise((resolve, reject) => {
      this.#child.once('exit', (code, signal) => {
        this.ended = `exit ${code ?? signal} ${printed.slice(0, 2000)}`;
        for (const settle of this.#waiting.values()) settle([]);
        reject(new Error(`${this.name} did not open: ${this.ended}`));
      });
      this.#child.on('message', ({ port, id, answer }) => {
        if (port) {
          this.port = port;
          resolve();
          return;
        }
        this.#waiting.get(id)?.(answer);
        this.#waiting.delete(id);
      });
    });
    return this;
  }

  /** What it has noted since the last time. */
  notes() {
    return this.#ask('notes');
  }

  /** Microseconds of the processor it has used so far. */
  processorTime() {
    return this.#ask('processor');
  }

  close() {
    this.#child.removeAllListeners('exit');
    this.#child.disconnect?.();
    this.#child.kill();
  }

  #ask(ask) {
    if (this.ended) return Promise.resolve([]);
    const id = ++this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ ask, id });
    });
  }
}
