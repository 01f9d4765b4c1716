import type { AccessMode } from '../../core/config/config.options.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidOptionsError } from '../../core/core.errors.js';

/** True for an app that has sessions of users and of its own, whichever a request asks for. */
export function hasBothAccessModes(config: PlatformConfig): boolean {
  return config.isEmbeddedApp && !config.isCustomStoreApp;
}

/**
 * @param place where it is asked for, such as the name of a handler
 * @throws {InvalidOptionsError} when the app has no sessions of the access mode
 */
export function assertAccessMode(
  config: PlatformConfig,
  mode: AccessMode,
  place = 'accessMode',
): void {
  if (mode === config.accessMode || hasBothAccessModes(config)) return;
  const message = config.isCustomStoreApp
    ? 'a custom app has one fixed token, and no sessions of users.'
    : `an app that is not embedded has sessions of one access mode only; with useOnlineTokens: ${mode === 'online'} they are ${mode}.`;
  throw new InvalidOptionsError([{ option: place, message }]);
}
