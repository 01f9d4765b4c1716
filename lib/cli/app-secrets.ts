import { readFile } from 'node:fs/promises';
import * as util from 'node:util';

import { fromEnvironment } from '../core/config/config.options.js';
import type { Environment } from '../core/config/config.options.js';
import { ENVIRONMENT } from '../core/vendor.js';
import { UsageError } from './cli.errors.js';

/**
 * The environment with what a file of `NAME=value` lines adds: variables that are set already win.
 * @throws {UsageError} when the file cannot be read
 */
export async function withEnvFile(
  env: Environment,
  path: string | undefined,
): Promise<Environment> {
  if (path === undefined) return env;
  // Since Node 20.12: a namespace lacks what a named import would fail for.
  if (typeof util.parseEnv !== 'function')
    throw new UsageError(
      '--env-file needs Node 20.12 or newer. Set the variables in the environment instead.',
    );
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const { code = 'unreadable' } = Object(cause) as { readonly code?: string };
    throw new UsageError(`--env-file: ${path} cannot be read (${code}).`, { cause });
  }
  return { ...util.parseEnv(text), ...env };
}

/** The app's secret. Never an argument: every user of the machine can list those. */
export function secretIn(env: Environment): string | undefined {
  return fromEnvironment(env, 'apiSecretKey');
}

/** How to say what the secret is. */
export const WHERE_SECRETS_ARE = `set ${ENVIRONMENT.apiSecretKey.join(' or ')}, in the environment or in a file that --env-file names`;
