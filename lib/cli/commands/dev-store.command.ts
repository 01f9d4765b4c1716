import type { DevApp } from '../../dev-store/index.js';
import { messageOf } from '../../core/error-message.js';
import { systemClock } from '../../core/time/clock.js';
import { CONFIGURATION_FILE, ENVIRONMENT, SHOP_DOMAINS } from '../../core/vendor.js';
import { secretIn } from '../app-secrets.js';
import { UsageError } from '../cli.errors.js';
import type { CommandProcess } from '../output.js';
import { readDevApp } from './dev-store-configuration.js';

/** What {@link runDevStore} serves, and where. */
interface DevStoreCommandOptions {
  /** The configuration file of the app. @default that of the folder */
  readonly config?: string | undefined;
  /** @default 4000 */
  readonly port?: number | undefined;
  /** In its canonical spelling. @default a made-up one */
  readonly shop?: string | undefined;
  /** Where the app runs. @default the `application_url` of the file */
  readonly appUrl?: string | undefined;
  /** Ends the store. */
  readonly signal?: AbortSignal | undefined;
}

/** Of an app whose real secret is not in the environment: it is none. */
const MADE_UP_SECRET = 'made-up-secret-of-a-simulated-store';

/**
 * Serves a simulated store for the app that a configuration file describes, and prints what to put
 * into the environment of the app. Runs until the signal.
 * @returns the exit code
 * @throws {UsageError} when the file cannot be used, or the port is taken
 */
export async function runDevStore(
  options: DevStoreCommandOptions,
  { stdout, env = {} }: CommandProcess,
): Promise<number> {
  const { port = 4000, shop = `dev-shop.${SHOP_DOMAINS[0]}`, signal } = options;
  const ownSecret = secretIn(env);
  const app = await readDevApp(options.config ?? CONFIGURATION_FILE, options.appUrl);
  const described = { ...app, apiSecretKey: ownSecret ?? MADE_UP_SECRET };
  const { DevStore } = await import('../../dev-store/index.js');
  const devStore = await DevStore.open({ apps: [described], shops: [shop], port }).catch(
    (cause: unknown) => {
      throw new UsageError(`The simulated store could not be opened: ${messageOf(cause)}`, {
        cause,
      });
    },
  );
  try {
    const { origin } = devStore.shop();
    stdout.write(messageFor(app, origin, ownSecret === undefined));
    await untilAborted(signal);
    return 0;
  } finally {
    await devStore.close();
  }
}

function messageFor(app: Omit<DevApp, 'apiSecretKey'>, origin: string, isMadeUp: boolean): string {
  const { apiKey, apiSecretKey, scopes, appUrl, devStore } = ENVIRONMENT;
  const variables = [
    [devStore[0], origin],
    [apiKey.at(-1), app.apiKey],
    ...(isMadeUp ? [[apiSecretKey.at(-1), MADE_UP_SECRET]] : []),
    [scopes[0], (app.scopes ?? []).join()],
    [appUrl.at(-1), app.appUrl],
    [appUrl[0], app.appUrl],
  ];
  const secret = isMadeUp ? '' : ' Its secret is the one of this environment.';
  return [
    `${app.name ?? 'The app'} in a simulated store: ${origin}/admin/apps/${app.apiKey}`,
    '',
    `The environment of the app, which runs at ${app.appUrl}.${secret}`,
    '',
    ...variables.map(([name, value]) => `${name}=${value}`),
    '',
    'Ctrl+C ends the store; nothing is stored.',
    '',
  ].join('\n');
}

async function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  while (!signal?.aborted) await systemClock.sleep(86_400_000, signal).catch(() => undefined);
}
