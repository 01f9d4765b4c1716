import type { DynamicModule } from '@nestjs/common';

/**
 * The dynamic modules of one app: what a room, a host or a plug-in imports from. Nothing but
 * references.
 */
export interface PlatformModules {
  /** Name of the app; `default` for the unnamed one. */
  readonly name: string;
  /** Config, clock, logger, transport, caller, keys, storage, handler registry. */
  readonly kernel: DynamicModule;
  readonly rest: DynamicModule;
  readonly graphql: DynamicModule;
  readonly webhooks: DynamicModule;
  /** What the rooms below ask for and the rooms above provide. */
  readonly ports: DynamicModule;
  readonly auth: DynamicModule;
  readonly billing: DynamicModule;
  /** `PlatformServices`: everything a host needs, in one object. */
  readonly services: DynamicModule;
}

/**
 * Anything that makes a module of its own per app: our rooms, our hosts, and third-party plug-ins.
 */
export interface PlatformPlugin {
  for(app: PlatformModules): DynamicModule;
}
