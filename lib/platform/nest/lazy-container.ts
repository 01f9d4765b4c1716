import { BootError } from '../../core/core.errors.js';
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

  constructor(private readonly modules: readonly AnyNestModule[]) {
    super();
  }

  boot(app: Resolver): void {
    this.#booting = import('./platform-container.js')
      .then(({ bootContainer }) => bootContainer(app, this.modules))
      .catch((cause: unknown) => {
        throw bootError(cause);
      });
    this.#pending = this.#booting.then(() => {});
    this.#pending.catch(() => {});
  }

  override get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  /** Also while it boots, and after a boot that failed. */
  async close(): Promise<void> {
    const container = await this.#booting?.catch(() => undefined);
    await container?.close();
  }
}

function bootError(cause: unknown): BootError {
  const missing =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
  const hint = missing ? ` The option "modules" needs Nest. ${INSTALL}` : '';
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new BootError(`The app's modules could not be started: ${reason}${hint}`, { cause });
}

const INSTALL = 'Run `npm install @nestjs/common @nestjs/core reflect-metadata rxjs`.';
