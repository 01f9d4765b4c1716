import { AsyncLocalStorage } from 'node:async_hooks';

import { BootError } from '../../core/core.errors.js';
import { messageOf } from '../../core/error-message.js';
import { HandlerDiscovery } from '../host/handler-discovery.js';
import type { Resolver } from '../kernel/resolver.js';

/** Any module of Nest's: a class, a dynamic module, or a promise of one. */
export type AnyNestModule = object;

/** What a container that was started can still be asked for. */
export interface Container {
  close(): Promise<void>;
}

/**
 * A Nest container over the objects of an app, to find the decorated methods of the app's modules.
 * Nest is loaded in the background by a dynamic import, so that a facade answers at once; an error
 * surfaces on first use, never as an unhandled rejection.
 */
export class LazyContainer extends HandlerDiscovery {
  #booting: Promise<Container> | undefined;
  #pending: Promise<void> | undefined;
  /** Set in what runs as part of the boot. */
  readonly #inside = new AsyncLocalStorage<true>();

  constructor(private readonly modules: readonly AnyNestModule[]) {
    super();
  }

  boot(app: Resolver): void {
    this.#booting = import('./platform-container.js')
      .then(({ bootContainer }) => this.#inside.run(true, () => bootContainer(app, this.modules)))
      .catch((cause: unknown) => {
        throw cause instanceof BootError ? cause : bootError(cause);
      });
    this.#pending = this.#booting.then(() => {});
    this.#pending.catch(() => {});
  }

  override get pending(): Promise<void> | undefined {
    // What a module does while it starts cannot wait until all modules have started.
    return this.#inside.getStore() ? undefined : this.#pending;
  }

  /** Also while it boots, and after a boot that failed. */
  async close(): Promise<void> {
    const container = await this.#booting?.catch(() => undefined);
    await container?.close();
  }
}

/** What the error of a package that is not installed names. */
const NEST = /'(?:@nestjs\/(?:common|core)|rxjs|reflect-metadata)'/;
const INSTALL = 'Run `npm install @nestjs/common @nestjs/core reflect-metadata rxjs`.';

function bootError(cause: unknown): BootError {
  const reason = messageOf(cause);
  const isMissing =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
  const hint = isMissing && NEST.test(reason) ? ` The option "modules" needs Nest. ${INSTALL}` : '';
  return new BootError(`The app's modules could not be started: ${reason}${hint}`, { cause });
}
