import type { IncomingMessage, ServerResponse } from 'node:http';

import { All, Controller, Inject, Module, Req, Res, UseGuards, Version } from '@nestjs/common';
import { SetMetadata, VERSION_NEUTRAL } from '@nestjs/common';
import type { CanActivate, DynamicModule, Type } from '@nestjs/common';

import { PlatformConfig } from '../../core/config/platform-config.js';
import { InvalidOptionsError } from '../../core/core.errors.js';
import { replyTo } from '../../core/http/inbound-request.js';
import { nodeRequest, sendReply } from '../../core/http/node-http.js';
import { getPlatformToken } from '../../platform/nest/platform-tokens.js';
import { WebhooksPageEndpoint } from '../../webhooks/page/webhooks-page.endpoint.js';

/** Where the page about webhooks is, and who may see it. */
export interface WebhooksPageModuleOptions {
  /** Below the global prefix. @default 'admin/webhooks' */
  readonly path?: string | undefined;
  /** At least one: it decides who may see the page. */
  readonly guards: readonly (Type<CanActivate> | CanActivate)[];
  /** What the guards inject. @default none */
  readonly imports?: DynamicModule['imports'];
  /** Name of the app. @default the unnamed one */
  readonly app?: string | undefined;
}

/**
 * What `@ApiExcludeController()` of `@nestjs/swagger` sets: an app need not have that package.
 * @see https://docs.nestjs.com/openapi/decorators
 */
const HIDDEN_FROM_OPENAPI = 'swagger/apiExcludeController';

/**
 * A page for the people who run the app: the queue, the last deliveries, and dead letters with
 * replay. It stays out of the OpenAPI document of `@nestjs/swagger`.
 * @example
 * WebhooksPageModule.register({ path: 'ops/webhooks', guards: [StaffGuard] })
 */
@Module({})
export class WebhooksPageModule {
  /** @throws {InvalidOptionsError} without a guard */
  static register(options: WebhooksPageModuleOptions): DynamicModule {
    const { path = 'admin/webhooks', guards, imports = [], app } = options;
    if (!Array.isArray(guards) || guards.length === 0) {
      const message = 'is missing: name at least one guard that decides who may see the page';
      throw new InvalidOptionsError([{ option: 'guards', message }]);
    }

    // A class of its own for each: paths and guards are metadata of the class.
    @Controller(path)
    @UseGuards(...guards)
    @SetMetadata(HIDDEN_FROM_OPENAPI, [true])
    class WebhooksPageController {
      constructor(
        @Inject(getPlatformToken(WebhooksPageEndpoint, app))
        private readonly page: WebhooksPageEndpoint,
        @Inject(getPlatformToken(PlatformConfig, app)) private readonly config: PlatformConfig,
      ) {}

      @All()
      @Version(VERSION_NEUTRAL)
      async answer(@Req() given: Wrapped<IncomingMessage>, @Res() reply: WrappedReply) {
        const request = nodeRequest(given.raw ?? (given as IncomingMessage), this.config);
        const decision = await this.page.answer(request, given.body);
        // Fastify answers by itself otherwise.
        reply.hijack?.();
        sendReply(
          reply.raw ?? (reply as unknown as ServerResponse),
          replyTo(request, decision, this.config),
        );
      }
    }

    return {
      module: WebhooksPageModule,
      imports: [...imports],
      controllers: [WebhooksPageController],
    };
  }
}

/** That of Node's, where a framework wraps it. */
type Wrapped<T> = Partial<T> & { readonly raw?: T; readonly body?: unknown };
type WrappedReply = Wrapped<ServerResponse> & { hijack?(): void };
