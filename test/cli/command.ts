import { run } from '../../lib/cli/command-line.js';
import type { CommandProcess } from '../../lib/cli/output.js';

/** What a command has printed. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process. */
export async function command(
  args: readonly string[],
  given: Pick<CommandProcess, 'env' | 'stdin'> = {},
): Promise<Ended> {
  const written = { out: '', err: '' };
  const code = await run(args, {
    ...given,
    stdout: { write: (text: string) => (written.out += text) },
    stderr: { write: (text: string) => (written.err += text) },
  });
  return { code, ...written };
}
