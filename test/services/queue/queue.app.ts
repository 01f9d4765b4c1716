import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';

import express from 'express';

import { signedWebhook } from '../../../lib/dev-store/index.js';
import type { SignedWebhookOptions } from '../../../lib/dev-store/index.js';
import { platformApp } from '../../../lib/integrations/express/index.js';
import type { WebhookSettings } from '../../../lib/webhooks/webhooks.options.js';
import { bullmqQueue } from '../../../lib/webhooks/queue/bullmq/index.js';
import type { BullmqQueueOptions } from '../../../lib/webhooks/queue/bullmq/index.js';
import { checkHealth } from '../../../lib/platform/health/index.js';
import type { HealthCheckResult } from '../../../lib/platform/health/index.js';
import type { PlatformApi } from '../../../lib/platform/api/platform.api.js';
import { API_KEY, API_SECRET, APP_URL, SHOP } from '../../support/app.js';
import type { QueuePlace } from './queue.place.js';

/** An Express app over HTTP whose deliveries wait in a queue. */
export interface QueueApp {
  readonly api: PlatformApi;
  /** Every line of its log. */
  readonly lines: readonly string[];
  /** Health of the queue. */
  health(): Promise<HealthCheckResult | undefined>;
  deliver(delivery?: Partial<SignedWebhookOptions>): Promise<number>;
  close(): Promise<void>;
}

export async function openQueueApp(
  place: QueuePlace,
  webhooks: WebhookSettings,
  queue: Partial<BullmqQueueOptions> = {},
): Promise<QueueApp> {
  const lines: string[] = [];
  const shopify = platformApp({
    api: {
      apiKey: API_KEY,
      apiSecretKey: API_SECRET,
      scopes: ['write_products'],
      apiVersion: '2026-07',
      hostName: new URL(APP_URL).host,
      logger: { level: 3, log: (_severity: number, line: string) => void lines.push(line) },
    },
    webhooks: {
      ...webhooks,
      queue: bullmqQueue({
        connection: place.connection,
        prefix: place.prefix,
        backoff: 20,
        ...queue,
      }),
    },
  });
  const server = createServer(express().use(shopify.routes()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
  let last = 0;
  return {
    api: shopify.api as unknown as PlatformApi,
    lines,
    health: async () => (await checkHealth(shopify, { checks: ['queue'], maxAge: 0 })).checks.queue,
    async deliver(delivery = {}) {
      const { headers, body } = signedWebhook({
        secret: API_SECRET,
        shop: SHOP,
        topic: 'products/create',
        payload: { id: 1 },
        webhookId: `delivery-${++last}`,
        ...delivery,
      });
      const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
      await response.arrayBuffer();
      return response.status;
    },
    async close() {
      await shopify.close();
      if (!server.listening) return;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
