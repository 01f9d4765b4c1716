import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A process that answers each message `[id, command, ...parameters]` with `[id, answer]`. */
export class Program {
  readonly #child: ChildProcess;
  #lastId = 0;

  constructor(file: string, args: readonly string[]) {
    this.#child = fork(file, args, { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.setMaxListeners(0);
  }

  ask(command: string, ...parameters: unknown[]): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const onMessage = ([answered, answer]: [number, unknown]): void => {
        if (answered !== id) return;
        this.#child.off('message', onMessage).off('exit', onExit);
        resolve(answer);
      };
      const onExit = (code: number | null): void => reject(new Error(`The process ended with exit code ${code}.`));
      this.#child.on('message', onMessage).once('exit', onExit);
      this.#child.send([id, command, ...parameters]);
    });
  }

  /** Lets the process end by itself; answers its exit code, which is not 0 after an unhandled rejection. */
  async end(): Promise<number | null> {
    this.#child.disconnect();
    return ((await once(this.#child, 'exit')) as [number | null])[0];
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}

/** Asks all at once. */
export function askAll(programs: readonly Program[], command: string, ...parameters: unknown[]): Promise<unknown[]> {
  return Promise.all(programs.map((program) => program.ask(command, ...parameters)));
}
