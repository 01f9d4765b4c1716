import { ApiVersion } from '../../lib/core/api-version.js';
import type { PlatformOptions } from '../../lib/platform/kernel/platform.options.js';

export const API_KEY = 'test-api-key';
export const API_SECRET = 'test-api-secret-0123456789';
export const SHOP = 'test-shop.myshopify.com';
export const APP_URL = 'https://app.example.com';

/** Options of a whole app; silent unless a test passes a logger. */
export function appOptions(overrides: Partial<PlatformOptions> = {}): PlatformOptions {
  return {
    apiKey: API_KEY,
    apiSecretKey: API_SECRET,
    scopes: ['write_products'],
    appUrl: APP_URL,
    apiVersion: ApiVersion.July26,
    logger: { log: () => {} },
    ...overrides,
  };
}
