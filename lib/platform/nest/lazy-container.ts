import { BootError } from '../../core/core.errors.js';
import type { Container } from './platform-container.js';
import type { PlatformKernel } from '../kernel/platform-kernel.js';
import type { PlatformServices } from '../kernel/platform-services.js';

/** Any module of Nest's: a class, a dynamic module, or a promise of one. */
export type AnyNestModule = object;

/**
 * A container that is being booted. Nest is loaded in the background by a dynamic import, so that a
 * facade answers at once; a boot that failed surfaces on first use, never as an unhandled
 * rejection.
 */
export class LazyContainer {
  readonly #booting: Promise<Container>;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly kernel: PlatformKernel,
    modules: readonly AnyNestModule[] = [],
  ) {
    this.#booting = import('./platform-container.js')
      .then(({ bootContainer }) => bootContainer(kernel, modules))
      .catch((cause: unknown) => {
        throw bootError(cause);
      });
    this.#booting.catch(() => {});
  }

  /**
   * The services, as soon as they exist.
   * @throws {BootError} when the container could not be built
   */
  async services(): Promise<PlatformServices> {
    return (await this.#booting).services;
  }

  /** Resolves when every module is initialised. @throws {BootError} */
  async ready(): Promise<void> {
    await this.#booting;
  }

  /**
   * Waits for what is in flight, then shuts the container down. Closing twice, while it boots, or
   * after a boot that failed, is fine.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    // At once: a container that is still being booted must not take anything in when it is ready.
    await this.kernel.inFlight.drain();
    try {
      const container = await this.#booting.catch(() => undefined);
      await container?.close();
    } finally {
      await this.kernel.close();
    }
  }
}

function bootError(cause: unknown): BootError {
  const missing =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
  const hint = missing ? ' Install @nestjs/common, @nestjs/core, reflect-metadata and rxjs.' : '';
  return new BootError(
    `The app's container could not be built: ${cause instanceof Error ? cause.message : String(cause)}${hint}`,
    {
      cause,
    },
  );
}
