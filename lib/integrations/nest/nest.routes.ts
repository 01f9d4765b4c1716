import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';

import { PlatformConfig } from '../../core/config/platform.config.js';
import { nodeRequest, sendReply } from '../../core/http/node-http.js';
import { PlatformServices } from '../../platform.services.js';

type Next = (error?: unknown) => void;
interface FastifyLike {
  addHook(
    name: 'onRequest',
    hook: (request: { raw: IncomingMessage }, reply: { raw: ServerResponse; hijack(): void }) => Promise<void>,
  ): unknown;
}

/**
 * Answers the toolkit's own paths in front of the app: guards, interceptors, filters, body parsers and URI versioning never see
 * them. The global prefix applies, with the app's own exclusions.
 */
@Injectable()
export class NestRoutes {
  constructor(
    host: HttpAdapterHost,
    private readonly app: ApplicationConfig,
    private readonly config: PlatformConfig,
    private readonly services: PlatformServices,
  ) {
    config.paths.mount((path) => this.withPrefix(path));
    // Providers are made before Nest installs its parsers: what is added here comes first. Without an HTTP server there are no routes.
    const adapter = host.httpAdapter;
    if (!adapter) return;
    if (adapter.getType() === 'fastify') this.beforeFastify(adapter.getInstance<FastifyLike>());
    else
      adapter.use(
        (req: IncomingMessage, res: ServerResponse, next: Next) =>
          void this.answer(req, res).then((done) => (done ? undefined : next()), next),
      );
  }

  private beforeFastify(fastify: FastifyLike): void {
    fastify.addHook('onRequest', async (request, reply) => {
      if (await this.answer(request.raw, reply.raw)) reply.hijack();
    });
  }

  private async answer(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const reply = await this.services.routes.handle(nodeRequest(req, this.config));
    if (reply) sendReply(res, reply);
    return reply !== undefined;
  }

  private withPrefix(path: string): string {
    const prefix = this.app.getGlobalPrefix();
    if (!prefix) return path;
    const excluded = this.app.getGlobalPrefixOptions().exclude?.some(({ pathRegex }) => pathRegex.test(path));
    return excluded ? path : `/${prefix.replace(/^\/+|\/+$/g, '')}${path}`;
  }
}
