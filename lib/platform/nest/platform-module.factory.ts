import { Module } from '@nestjs/common';
import type { DynamicModule, InjectionToken, Provider } from '@nestjs/common';

import { AuthModule } from '../../auth/auth.module.js';
import { BillingModule } from '../../billing/billing.module.js';
import type { PathOptions } from '../../core/config/platform-paths.js';
import type { PlatformPlugin, PlatformModules } from '../../core/nest/platform-plugin.js';
import { GraphqlClientModule } from '../../graphql-client/graphql-client.module.js';
import { PlatformKernel } from '../kernel/platform-kernel.js';
import { KERNEL_PROVIDERS, PORT_PROVIDERS, SERVICE_PROVIDERS } from './platform.providers.js';
import { ShutdownModule } from './shutdown.module.js';
import { DEFAULT_APP, PLATFORM_NAME, ownTokenOf } from './platform-tokens.js';
import { RestClientModule } from '../../rest-client/rest-client.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';

/** What is known when the module is declared, even if the options themselves arrive later. */
export interface PlatformExtras {
  /** Tells several apps in one process apart. @default 'default' */
  name?: string | undefined;
  /** Where the toolkit answers by itself. */
  paths?: PathOptions | undefined;
  /**
   * Makes the services injectable everywhere by class. @default true for the unnamed app, false for
   * a named one
   */
  isGlobal?: boolean | undefined;
  /** Hosts and plug-ins that get a module of their own for this app. @default ours */
  rooms?: readonly PlatformPlugin[] | undefined;
}

/**
 * Where the kernel of an app comes from: made by a facade already, or still to be made from
 * options.
 */
export interface KernelSource {
  readonly imports?: DynamicModule['imports'];
  readonly providers: Provider[];
}

@Module({})
class KernelModule {}

@Module({})
class PortsModule {}

@Module({})
class ServicesModule {}

/**
 * Completes the root module of one app: a kernel, its rooms and its hosts, each a dynamic module of
 * this app alone.
 */
export function assemble(
  root: DynamicModule,
  source: KernelSource,
  extras: PlatformExtras,
): DynamicModule {
  const name = extras.name ?? DEFAULT_APP;
  const app = roomsOf(name, source);
  const modules = [
    app.kernel,
    app.rest,
    app.graphql,
    app.webhooks,
    app.auth,
    app.billing,
    app.services,
    ShutdownModule.for(app),
    ...(extras.rooms ?? []).map((room) => room.for(app)),
  ];
  const isDefault = name === DEFAULT_APP;
  const own = modules
    .flatMap(classesExportedBy)
    .map((token) => ({ provide: ownTokenOf(token, name), useExisting: token }));
  return {
    module: root.module,
    global: extras.isGlobal ?? isDefault,
    imports: modules,
    providers: [{ provide: PLATFORM_NAME, useValue: name }, ...own],
    exports: isDefault ? modules : own.map(({ provide }) => provide),
  };
}

function roomsOf(name: string, source: KernelSource): PlatformModules {
  const kernel: DynamicModule = {
    module: KernelModule,
    imports: source.imports ?? [],
    providers: [...source.providers, ...KERNEL_PROVIDERS],
    exports: [PlatformKernel, ...KERNEL_PROVIDERS.map(tokenOf)],
  };
  const built = { name, kernel } as {
    -readonly [room in keyof PlatformModules]: PlatformModules[room];
  };
  built.rest = RestClientModule.for(built);
  built.graphql = GraphqlClientModule.for(built);
  built.webhooks = WebhooksModule.for(built);
  built.ports = {
    module: PortsModule,
    imports: [kernel, built.webhooks],
    providers: PORT_PROVIDERS,
    exports: PORT_PROVIDERS.map(tokenOf),
  };
  built.auth = AuthModule.for(built);
  built.billing = BillingModule.for(built);
  built.services = {
    module: ServicesModule,
    imports: [kernel, built.webhooks, built.auth, built.billing],
    providers: SERVICE_PROVIDERS,
    exports: SERVICE_PROVIDERS.map(tokenOf),
  };
  return built;
}

function tokenOf(provider: Provider): InjectionToken {
  return typeof provider === 'function' ? provider : provider.provide;
}

type AnyClass = abstract new (...args: never[]) => unknown;

function classesExportedBy(module: DynamicModule): AnyClass[] {
  return (module.exports ?? []).filter(
    (token): token is AnyClass & typeof token => typeof token === 'function',
  );
}
