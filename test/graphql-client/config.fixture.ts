import { resolveConfig } from '../../lib/core/config/config.schema.js';
import type { PlatformConfig } from '../../lib/core/config/platform-config.js';

/** The config of an app that says no more than it has to. */
export function plainConfig(): PlatformConfig {
  return resolveConfig(
    {
      apiKey: 'key',
      apiSecretKey: 'secret',
      appUrl: 'https://app.example.com',
      apiVersion: '2026-07',
    },
    { environment: {} },
  );
}
