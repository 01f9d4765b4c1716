import { inspect, types } from 'node:util';

import { PlatformConfig } from '../../../lib/core/config/platform-config.js';
import { PlatformError } from '../../../lib/core/core.errors.js';
import { HttpTransport } from '../../../lib/core/http/http-transport.js';
import type { TransportInit } from '../../../lib/core/http/http-transport.js';
import { PlatformLogger } from '../../../lib/core/logger.js';
import type { LogContext, LogSeverity } from '../../../lib/core/logger.js';
import type { Session } from '../../../lib/sessions/session.js';
import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';
import type { LeakWatch } from './leak.watch.js';
import { observeCalls, observeGetter } from './observe.js';

/**
 * Watches the toolkit's own objects: what they are given to keep, what they log and throw, and whom
 * they call.
 */
export function observeToolkit(watch: LeakWatch): void {
  const { secrets } = watch;
  observeGetter(PlatformConfig.prototype, 'apiSecretKeys', (keys) =>
    (keys as string[]).forEach((key) => secrets.add('API secret', key)),
  );
  for (const name of ['adminApiAccessToken', 'apiSecretKey', 'privateAppStorefrontAccessToken'])
    observeGetter(PlatformConfig.prototype, name, (token) => secrets.add(name, token));
  observeCalls(MemorySessionStorage.prototype, 'storeSession', (_, [session]) => {
    const { accessToken, refreshToken } = session as Session;
    secrets.add('stored access token', accessToken);
    secrets.add('stored refresh token', refreshToken);
  });
  observeCalls(HttpTransport.prototype, 'receive', (_, args) => {
    const [url, { headers, body }] = args as [string, TransportInit];
    secrets.learnFromHeaders(pairsOf(headers));
    if (typeof body === 'string' || body instanceof URLSearchParams)
      secrets.learnFrom(String(body));
    watch.leaves('address called', url);
  });
  // Whatever the level of the logger: the line as it would be written.
  observeCalls(PlatformLogger.prototype, 'log', (logger, args) =>
    watch.leaves(
      'log line',
      (logger as PlatformLogger).lineOf(...(args as [LogSeverity, string, LogContext?])),
    ),
  );
  observeErrors(watch);
}

/** An error takes its name when it is made. What its class adds is there one step later. */
function observeErrors(watch: LeakWatch): void {
  Object.defineProperty(PlatformError.prototype, 'name', {
    configurable: true,
    get: () => 'Error',
    set(this: PlatformError, value: string) {
      Object.defineProperty(this, 'name', {
        configurable: true,
        enumerable: true,
        writable: true,
        value,
      });
      queueMicrotask(() => watch.leaves('error', inWords(this)));
    },
  });
}

/**
 * What a console shows of an error, but for the stack, which says nothing else and takes long to
 * make.
 */
function inWords(value: unknown, depth = 0): string {
  if (depth > 5 || (depth > 0 && isErrorOfTheTest(value))) return '';
  if (types.isNativeError(value))
    return [value.message, ...Object.values(value), value.cause]
      .map((part) => inWords(part, depth + 1))
      .join(' ');
  if (Array.isArray(value) || isPlain(value))
    return Object.values(value)
      .map((part) => inWords(part, depth + 1))
      .join(' ');
  return typeof value === 'string' ? value : inspect(value);
}

/** What an app throws is kept as a cause, and may say what the app pleases. */
function isErrorOfTheTest(value: unknown): boolean {
  return (
    types.isNativeError(value) && /\/test\//.test(/^ +at .*/m.exec(value.stack ?? '')?.[0] ?? '')
  );
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

function pairsOf(headers: HeadersInit | undefined): Iterable<readonly [string, unknown]> {
  if (headers === undefined) return [];
  return Symbol.iterator in headers
    ? (headers as Iterable<[string, string]>)
    : Object.entries(headers);
}
