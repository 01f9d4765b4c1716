import { BootError } from '../../core/core.errors.js';

/**
 * Stands for the container of Nest in what is bundled for Workers, where Nest does not run: such a
 * bundle needs none of its packages.
 * @throws {BootError} always
 */
export async function bootContainer(): Promise<never> {
  throw new BootError(
    'Nest does not run on Workers. Leave the option "modules" out, and handle webhooks with the functions of the option "webhooks".',
  );
}
