// Child processes, and what they are asked.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * On Linux the load and what is measured run on a core each, so that neither moves the other about.
 */
const pinned = (node, core) =>
  process.platform === 'linux'
    ? { execPath: 'taskset', execArgv: ['-c', `${core}`, node] }
    : { execPath: node };

export class Child {
  #process;
  #errors = '';
  #exit;

  /** @param program a file beside this one */
  constructor(program, args, { node, core }) {
    const env = { ...process.env, NODE_ENV: 'production', NODE_DISABLE_COMPILE_CACHE: '1' };
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'];
    this.#process = fork(fileURLToPath(new URL(program, import.meta.url)), args, {
      ...pinned(node, core),
      env,
      stdio,
    });
    this.#process.stderr.setEncoding('utf8').on('data', (text) => (this.#errors += text));
    // Not its `close` event, which does not come for a process that was disconnected.
    this.#exit = Promise.all([once(this.#process, 'exit'), once(this.#process.stderr, 'end')]);
  }

  /** The next message from the process. */
  async next() {
    const ended = this.#exit.then(() =>
      Promise.reject(
        new Error(`${this.#process.spawnargs.slice(-2).join(' ')} has ended:\n${this.#errors}`),
      ),
    );
    return Promise.race([new Promise((resolve) => this.#process.once('message', resolve)), ended]);
  }

  ask(message = {}) {
    const answer = this.next();
    this.#process.send(message);
    return answer;
  }

  async close() {
    if (this.#process.connected) this.#process.disconnect();
    await this.#exit;
  }
}
