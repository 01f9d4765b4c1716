import type { PlatformOptions } from '../../platform.options.js';
import type { AnyNestModule } from '../../platform.handle.js';
import type { SessionStorage } from '../../sessions/session.storage.js';

/** What {@link platformApp} takes. */
export interface RemixAppOptions extends Omit<PlatformOptions, 'paths' | 'webhookBodyLimit'> {
  /** Access scopes the app asks for; `[]` for none. */
  readonly scopes: NonNullable<PlatformOptions['scopes']>;
  readonly sessionStorage: SessionStorage;
  /** Where the splat route lies that calls `authenticate.admin`; the paths of OAuth and of the helper pages are below it. @default '/auth' */
  readonly authPathPrefix?: string | undefined;
  /** Nest modules whose `@WebhookHandler` methods and providers belong to this app; `handle()` runs them. @default none */
  readonly modules?: readonly AnyNestModule[] | undefined;
}

/** The same options as every other part of the toolkit reads them. */
export function toPlatformOptions({ authPathPrefix, ...options }: RemixAppOptions): PlatformOptions {
  const prefix = (authPathPrefix || '/auth').replace(/\/+$/, '');
  return { ...options, paths: { auth: prefix, exitIframe: `${prefix}/exit-iframe` } };
}

const NAMES: Readonly<Record<string, string>> = {
  'paths.auth': 'authPathPrefix',
  'paths.webhooks': 'webhooks.path',
  webhookBodyLimit: 'webhooks.bodyLimit',
};

/** What the options of this host call an option of the toolkit. */
export function remixNameOf(option: string): string {
  return NAMES[option] ?? option;
}
