import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidOptionsError } from '../../core/core.errors.js';
import type { OptionProblem } from '../../core/core.errors.js';
import { CALLBACK_URL } from './signed-topic.js';
import type { NamedAddress } from './signed-topic.js';

/**
 * What arrives at a path is told apart by the path alone. To be called when handlers were added,
 * or are about to be.
 * @throws {InvalidOptionsError} when signed requests that have a handler share their path with a
 * page of the toolkit, with webhooks, or with one another
 */
export function assertOwnPaths(addresses: readonly NamedAddress[], config: PlatformConfig): void {
  const named = addresses.map(({ option, path }) => ({ option, path: path(config) }));
  const problems = named.flatMap(({ option, path }): OptionProblem[] => {
    if (option === CALLBACK_URL || path === undefined) return [];
    const own = config.paths.match(path);
    const other = own
      ? `the toolkit's path "${own}"`
      : named.find((one) => one.path === path && one.option !== option)?.option;
    if (other === undefined) return [];
    return [{ option, message: `"${path}" is also ${other}: each needs a path of its own` }];
  });
  if (problems.length > 0) throw new InvalidOptionsError(problems);
}
