import { isKnownApiVersion } from '../../core/api-version.js';
import type { PlatformConfig } from '../../core/config/platform-config.js';
import type { PlatformLogger } from '../../core/logger.js';
import { storageNotices } from './storage-choice.js';
import type { GivenStorage } from './storage-choice.js';
import { optionNotices } from './platform.options.js';
import type { HostContext, PlatformOptions } from './platform.options.js';

/** Something of the process that an app holds from its start until it is closed. */
export class Hold {
  #release: (() => void) | undefined;

  /** @param take what begins it; returns what ends it */
  constructor(private readonly take: () => () => void) {}

  begin(): void {
    this.#release = this.take();
  }

  end(): void {
    this.#release?.();
  }
}

/** Tells the log what is remarkable about an app's options, once when it starts. */
export class StartUpNotices {
  constructor(
    private readonly options: PlatformOptions,
    private readonly host: HostContext,
    private readonly config: PlatformConfig,
    private readonly logger: PlatformLogger,
    private readonly given: GivenStorage,
  ) {}

  write(): void {
    const { options, host, config, logger, given } = this;
    for (const notice of optionNotices(options, host)) logger.warn(notice);
    if (options.sessionStorage !== undefined || host.storesSessions !== false)
      for (const notice of storageNotices({ ...options, sessionStorage: given.storage }, config))
        logger.warn(notice);
    if (isNewlyUnknown(config.apiVersion))
      logger.warn(
        `API version ${config.apiVersion} is newer or older than this release of the toolkit knows; it is used as it is.`,
      );
    if (
      config.adminApiAccessToken !== undefined &&
      config.apiSecretKeys.includes(config.adminApiAccessToken)
    )
      logger.warn(
        'adminApiAccessToken is set to the API secret key: it must be the access token of the custom app.',
      );
  }
}

const reported = new Set<string>();

/** True once in a process for each version that is not known. */
function isNewlyUnknown(version: string): boolean {
  if (isKnownApiVersion(version) || reported.has(version)) return false;
  reported.add(version);
  return true;
}
