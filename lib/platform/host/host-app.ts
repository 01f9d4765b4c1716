import type { Binding, Token } from '../../core/binding.js';
import { bindValue } from '../../core/binding.js';
import { InFlight } from '../../core/concurrency/in-flight.js';
import type { OptionProblem } from '../../core/core.errors.js';
import type { HostContext, PlatformOptions } from '../kernel/platform.options.js';
import { createResolver } from '../kernel/platform.providers.js';
import type { Resolver } from '../kernel/resolver.js';
import { LazyContainer } from '../nest/lazy-container.js';
import type { AnyNestModule } from '../nest/lazy-container.js';
import { handOut } from './app-objects.js';
import { HandlerDiscovery } from './handler-discovery.js';

/** What every app outside a Nest app can do besides what its host offers. */
export interface HostApp {
  /** Resolves when the handlers of all modules are known. @throws {BootError} */
  readonly ready: () => Promise<void>;
  /**
   * Refuses new deliveries, waits for what is in flight, and shuts the app down; what was passed
   * in, such as the session storage, stays open. To be called on SIGTERM; twice does no harm.
   */
  readonly close: () => Promise<void>;
}

/** What an app outside a Nest app is made of. */
interface HostAppParams<Integration extends object> {
  /** What the host hands out. */
  readonly integration: Token<Integration>;
  readonly bindings: readonly Binding[];
  readonly options: PlatformOptions;
  readonly context: HostContext;
  readonly modules?: readonly AnyNestModule[] | undefined;
}

/**
 * Makes an app and starts it. Loads Nest only when there are modules to search, in the background.
 * @throws {InvalidOptionsError} naming every problem in the options at once
 */
export function createHostApp<Integration extends object>({
  integration,
  bindings,
  options,
  context,
  modules = [],
}: HostAppParams<Integration>): Integration & HostApp {
  const problems = [...(context.problems ?? []), ...problemsInModules(modules)];
  const container = modules?.length > 0 ? new LazyContainer(modules) : undefined;
  const app = createResolver(options, { ...context, problems }, [
    ...bindings,
    ...(container ? [bindValue(HandlerDiscovery, container)] : []),
  ]);
  const host = app.get(integration);
  app.start();
  container?.boot(app);
  whenReady(app, container?.pending);
  handOut(host, (token) => app.get(token));
  let closing: Promise<void> | undefined;
  return Object.assign(host, {
    ready: async () => container?.pending,
    close: () => (closing ??= shutDown(app, container)),
  });
}

/** What is no list would be ignored, and its handlers with it. */
function problemsInModules(modules: unknown): OptionProblem[] {
  if (!Array.isArray(modules))
    return [{ option: 'modules', message: 'must be a list of Nest modules' }];
  return modules.flatMap((module: unknown, index) =>
    typeof module === 'function' || (typeof module === 'object' && module !== null)
      ? []
      : [
          {
            option: `modules.${index}`,
            message: `must be a Nest module and is ${String(module)}: do two files import each other?`,
          },
        ],
  );
}

/** After a boot that failed nothing begins: the error surfaces on first use, and from `ready()`. */
function whenReady(app: Resolver, pending: Promise<void> | undefined): void {
  const begin = (): void => app.ready();
  if (pending) pending.then(begin, () => {});
  else begin();
}

async function shutDown(app: Resolver, container: LazyContainer | undefined): Promise<void> {
  // At once: a container that is still being started must not take anything in when it is ready.
  await app.get(InFlight).drain();
  try {
    await container?.close();
  } finally {
    await app.close();
  }
}
