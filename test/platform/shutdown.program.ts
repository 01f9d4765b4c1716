import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Injectable, Module } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';

import { PlatformModule } from '../../lib/index.js';
import { platformApp as expressApp } from '../../lib/integrations/express/index.js';
import { platformApp as remixApp } from '../../lib/integrations/remix/index.js';
import { SqliteSessionStorage } from '../../lib/sessions/storages/sqlite/index.js';
import { answerMessages } from '../services/program.messages.js';

/**
 * What the program is told: its host, the file of its storage, the file its handlers write to, and
 * how long things take.
 */
export interface ShutdownSetup {
  readonly host: 'Express' | 'Nest' | 'Remix';
  readonly storage: string;
  readonly notes: string;
  readonly handlerMs: number;
  readonly shutdownTimeout?: number;
}

const setup = JSON.parse(process.argv[2]!) as ShutdownSetup;
const sessionStorage = new SqliteSessionStorage(setup.storage);
const note = (what: string): Promise<void> => appendFile(setup.notes, `${what}\n`);

const app = {
  apiKey: 'test-api-key',
  apiSecretKey: 'test-api-secret-0123456789',
  apiVersion: '2026-07',
  scopes: [],
  logger: { log: () => {} },
};
const webhooks = {
  shutdownTimeout: setup.shutdownTimeout,
  PRODUCTS_CREATE: async (
    _topic: string,
    _shop: string,
    _body: string,
    id: string,
  ): Promise<void> => {
    await note(`begin ${id}`);
    await new Promise((resolve) => setTimeout(resolve, setup.handlerMs));
    await note(`end ${id}`);
  },
};

/** What keeps the app's data is closed as soon as the app is destroyed. */
@Injectable()
class Storage implements OnModuleDestroy {
  onModuleDestroy(): Promise<void> {
    return sessionStorage.close();
  }
}

async function listenInNest(): Promise<number> {
  @Module({
    imports: [
      PlatformModule.forRoot({
        ...app,
        appUrl: 'https://app.example.com',
        sessionStorage,
        webhooks,
      }),
    ],
    providers: [Storage],
  })
  class App {}
  const nest = await NestFactory.create(App, { logger: false });
  nest.enableShutdownHooks();
  await nest.listen(0, '127.0.0.1');
  return portOf(nest.getHttpServer() as Server);
}

async function listenInExpress(): Promise<number> {
  const shopify = expressApp({
    api: { ...app, hostName: 'app.example.com' },
    sessionStorage,
    webhooks,
  });
  return listen(createServer(express().use(shopify.routes())), () => shopify.close());
}

async function listenInRemix(): Promise<number> {
  const shopify = remixApp({ ...app, appUrl: 'https://app.example.com', sessionStorage, webhooks });
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    res.on('close', () => gone.abort());
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const headers = new Headers(Object.entries(req.headers) as [string, string][]);
    const request = new Request(`http://127.0.0.1${req.url}`, {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
      signal: gone.signal,
    });
    const response = (await shopify.handle(request)) ?? new Response(null, { status: 404 });
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  };
  return listen(
    createServer((req, res) => void answer(req, res)),
    () => shopify.close(),
  );
}

/** As an app does that ends in good order. */
async function listen(server: Server, close: () => Promise<void>): Promise<number> {
  process.once('SIGTERM', async () => {
    server.close();
    await close();
    await sessionStorage.close();
    process.exit(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server);
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const commands = {
  listen: { Express: listenInExpress, Nest: listenInNest, Remix: listenInRemix }[setup.host],
};
export type ShutdownCommands = typeof commands;

answerMessages(commands);
