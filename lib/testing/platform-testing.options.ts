import type { INestApplication, ModuleMetadata } from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { TestingModuleBuilder } from '@nestjs/testing';

import type { DevApp } from '../dev-store/base/dev-app.js';
import type { DevStoreOptions } from '../dev-store/dev-store.js';
import type { PlatformOptions } from '../platform/kernel/platform.options.js';

/** What a testing module is made of: the app's own modules, and what a test wants otherwise. */
export interface PlatformTestingOptions extends ModuleMetadata {
  /** Name of the app under test. @default the unnamed app */
  readonly name?: string | undefined;
  /**
   * Replace options that the app's module was given. A simulated store, its clock, a memory storage
   * and keys of a test are there already.
   */
  readonly options?: Partial<PlatformOptions> | undefined;
  /** The simulated store; its first shop is the one that is meant where none is named. */
  readonly store?: Omit<DevStoreOptions, 'apps' | 'fetch'> | undefined;
  /** How the app is registered in the store, such as its app proxy. */
  readonly registration?: Partial<Omit<DevApp, 'apiKey' | 'apiSecretKey' | 'appUrl'>> | undefined;
  /** Replaces providers, guards and filters, as with `Test.createTestingModule()`. */
  readonly override?: ((builder: TestingModuleBuilder) => unknown) | undefined;
  /** Called before the app listens: for its global prefix, pipes or versioning. */
  readonly prepare?: ((app: INestApplication) => unknown) | undefined;
  /** @default that of Express */
  readonly adapter?: AbstractHttpAdapter | undefined;
}

/** How an app is installed in a shop. */
export interface InstallOptions {
  /** Domain of the shop. @default the first shop of the store */
  readonly shop?: string | undefined;
  /** What the merchant grants. @default the scopes of the app */
  readonly scopes?: readonly string[] | undefined;
}

/** How a webhook is delivered. */
export interface DeliverOptions {
  /** Domain of the shop. @default the first shop of the store */
  readonly shop?: string | undefined;
  /** The same in each attempt of one delivery. @default a random one */
  readonly webhookId?: string | undefined;
  /** Where it is posted. @default the webhook path of the app */
  readonly path?: string | undefined;
}
