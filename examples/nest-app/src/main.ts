import 'reflect-metadata';

import { pathToFileURL } from 'node:url';

import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ExpressIntegration, RemixIntegration } from 'shopwright';

import { AppModule } from './app.module.js';
import { expressShop, remixShop } from './hosts.js';

/** Starts the app on `PORT` (3000 unless it is set). */
export async function start(): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, {
    logger: ['error', 'warn'],
  });
  // Mounted before listen(): what comes later stands behind Nest's own 404.
  app.use('/express/shop', ...expressShop(app.get(ExpressIntegration)));
  app.use('/remix/shop', remixShop(app.get(RemixIntegration)));
  await app.listen(process.env['PORT'] ?? 3000);
  return app;
}

// As the program itself, not in the demo. On SIGTERM, webhook handlers that run are waited for.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  (await start()).enableShutdownHooks();
