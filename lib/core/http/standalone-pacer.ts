import { PacerOnDemand, unpaced } from '../pacing/pacer.js';
import type { Pacer } from '../pacing/pacer.js';
import { isPacingOption } from '../pacing/pacing-option.js';
import type { PacingOption } from '../pacing/pacing-option.js';
import { plainClock } from '../time/plain-clock.js';
import { onDemand } from './http-transport.js';
import { InvalidClientOptionsError } from './http.errors.js';
import type { ClientName } from './http.errors.js';

/**
 * The pacer of a client that stands alone: none unless it is asked for.
 * @param accessToken names the app toward a pacer that is shared, as a hash
 * @throws {InvalidClientOptionsError} when the pacing is none
 */
export function standalonePacer(
  client: ClientName,
  pacing: PacingOption = false,
  accessToken: string,
): Pacer {
  if (pacing === false) return unpaced;
  if (isPacingOption(pacing))
    return new PacerOnDemand(async () => {
      const { loadPacer, nameByToken } = await onDemand();
      const name = (): Promise<string> => nameByToken(accessToken);
      return loadPacer(pacing, plainClock, undefined, name);
    });
  throw new InvalidClientOptionsError(
    client,
    'the pacing is invalid: it must be "memory", { redis: a URL or a client, app?: a name } or false.',
  );
}
