import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';
import type { Answer, Commands } from './program.messages.js';

/**
 * How a process ended: its exit code, which is not 0 after an unhandled rejection, and all that it
 * wrote to stderr.
 */
export interface Ending {
  readonly code: number | null;
  readonly errors: string;
}

/** A process that answers messages, as `answerMessages` does. */
export class Program<Known extends Commands> {
  readonly #child: ChildProcess;
  readonly #ending: Promise<Ending>;
  readonly #asked = new Map<
    number,
    { resolve: (answer: never) => void; reject: (problem: Error) => void }
  >();
  #errors = '';
  #lastId = 0;

  constructor(file: string, args: readonly string[]) {
    this.#child = fork(file, args, {
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    this.#child.stderr!.on('data', (data) => (this.#errors += data));
    this.#child.on('message', (answer) => this.#hear(answer as Answer));
    // Not `close`, which a process that was let go of never tells.
    const ends = [once(this.#child, 'exit'), once(this.#child.stderr!, 'close')] as const;
    this.#ending = Promise.all(ends).then(([[code]]) => this.#ended(code as number | null));
  }

  /** @throws what the command throws; that the process has ended, when it ends instead */
  ask<Name extends keyof Known & string>(
    command: Name,
    ...parameters: Parameters<Known[Name]>
  ): Promise<Awaited<ReturnType<Known[Name]>>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#child.send([id, command, ...parameters], (error) => error && reject(error));
    });
  }

  /** Lets go of the process, and resolves once it has ended by itself. */
  end(): Promise<Ending> {
    this.#child.disconnect();
    return this.#ending;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ending;
  }

  #hear([id, answer, problem]: Answer): void {
    const asked = this.#asked.get(id)!;
    this.#asked.delete(id);
    if (problem === undefined) asked.resolve(answer as never);
    else asked.reject(new Error(problem));
  }

  #ended(code: number | null): Ending {
    for (const { reject } of this.#asked.values())
      reject(new Error(`The process ended with exit code ${code}. ${this.#errors}`));
    return { code, errors: this.#errors };
  }
}

/** A source file of these tests for processes to run, and the processes that run it. */
export class ProgramFile<Known extends Commands> {
  readonly #programs: Program<Known>[] = [];

  private constructor(
    private readonly copy: Transpiled,
    private readonly path: string,
  ) {}

  /**
   * @param source such as `test/services/storage.program.ts`
   * @param loaded source files that it imports by a name it is told
   */
  static async build<Known extends Commands>(
    source: string,
    ...loaded: string[]
  ): Promise<ProgramFile<Known>> {
    const copy = await transpile([source, ...loaded]);
    return new ProgramFile(copy, join(copy.folder, source.replace(/\.ts$/, '.js')));
  }

  start(...args: string[]): Program<Known> {
    const program = new Program<Known>(this.path, args);
    this.#programs.push(program);
    return program;
  }

  /** Ends the processes that have not ended. */
  async kill(): Promise<void> {
    await Promise.all(this.#programs.splice(0).map((program) => program.kill()));
  }

  remove(): Promise<void> {
    return this.copy.remove();
  }
}

/** Asks all at once. */
export function askAll<Known extends Commands, Name extends keyof Known & string>(
  programs: readonly Program<Known>[],
  command: Name,
  ...parameters: Parameters<Known[Name]>
): Promise<Awaited<ReturnType<Known[Name]>>[]> {
  return Promise.all(programs.map((program) => program.ask(command, ...parameters)));
}
