import type { Environment } from '../core/config/config.options.js';

/** Where a command writes: results on stdout, everything else on stderr. */
export interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/** What a command uses of its process, such as `process` itself. */
export interface CommandProcess extends Output {
  /** @default none are set */
  readonly env?: Environment | undefined;
  /** @default empty */
  readonly stdin?: AsyncIterable<Uint8Array | string> | undefined;
}
