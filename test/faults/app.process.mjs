import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('app.program.mjs', import.meta.url));
/** Processes that start at once only wait for each other. */
const STARTING_AT_ONCE = 2;

const running = new Set();
const waiting = [];
let starting = 0;

/** An app in a process of its own. */
export class AppProcess {
  #child;
  #reached = new Map();
  #errors = '';

  /**
   * @param setup `{ host, place, ledgerFile, shut, origins, webhooks, exits, queue, isCured }`, see
   * `app.program.mjs`
   */
  static async start(setup) {
    if (starting >= STARTING_AT_ONCE) await new Promise((resolve) => waiting.push(resolve));
    starting++;
    try {
      const app = new AppProcess({ host: 'express', ...setup });
      app.url = await app.#listening();
      return app;
    } finally {
      starting--;
      waiting.shift()?.();
    }
  }

  /** Leaves no process behind. */
  static async killAll() {
    await Promise.all([...running].map((app) => app.kill()));
  }

  constructor(setup) {
    this.#child = fork(PROGRAM, [JSON.stringify(setup)], {
      execArgv: [],
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    this.#child.stderr.on('data', (data) => (this.#errors += data));
    this.#child.on(
      'message',
      ({ reached }) => reached !== undefined && this.#gate(reached).resolve(),
    );
    running.add(this);
    /** How the process ended: `{ code, signal, errors }`. */
    this.ended = Promise.all([once(this.#child, 'exit'), once(this.#child.stderr, 'close')]).then(
      ([[code, signal]]) => {
        running.delete(this);
        return { code, signal, errors: this.#errors };
      },
    );
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Something else than a gate has stopped the app for the key. */
  comesTo(key) {
    this.#gate(key).resolve();
  }

  /**
   * Resolves when the app stands at the gate that is shut for the key. @throws when it does not
   * come there in time, or ends
   */
  async reached(key, ms = 15_000) {
    await inTime(
      Promise.race([this.#gate(key).promise, this.#mustRun()]),
      ms,
      `${key} did not come to its gate`,
    );
  }

  signal(signal) {
    this.#child.kill(signal);
  }

  /** `kill -9`, at the moment in which what was to be cut has begun. */
  async kill() {
    if (!this.isRunning) return;
    this.#child.send('kill', () => {});
    // One that does not listen any more.
    const force = setTimeout(() => this.#child.kill('SIGKILL'), 1_000);
    await this.ended;
    clearTimeout(force);
  }

  #gate(key) {
    if (!this.#reached.has(key)) this.#reached.set(key, withResolvers());
    return this.#reached.get(key);
  }

  async #listening() {
    const listening = new Promise((resolve) =>
      this.#child.on('message', ({ url }) => url !== undefined && resolve(url)),
    );
    return inTime(Promise.race([listening, this.#mustRun()]), 60_000, 'The app did not start');
  }

  async #mustRun() {
    const { code, signal, errors } = await this.ended;
    throw new Error(`The app ended with ${signal ?? `exit code ${code}`}. ${errors}`);
  }
}

/** @throws what `late` says when the promise takes longer than `ms` */
export async function inTime(promise, ms, late) {
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${late} within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([promise, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function withResolvers() {
  const resolvers = {};
  resolvers.promise = new Promise((resolve, reject) =>
    Object.assign(resolvers, { resolve, reject }),
  );
  return resolvers;
}
