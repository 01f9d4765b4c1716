// A look at the page about webhooks by those who run an app: the queue, the last deliveries, and
// dead letters that a click has handled again.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';

import express from 'express';
import { signedFlowAction, signedWebhook } from 'shopwright/dev-store';
import { platformApp } from 'shopwright/express';

import { DESKTOP, PHONE, assertFits } from './walk.mjs';

const APP = { apiKey: 'page-key', apiSecretKey: 'page-secret' };
const SHOP = 'dev-shop.myshopify.com';
const PATH = '/ops/webhooks';

/** A queue in this process that gives up what fails, as far as the page and the app look at it. */
class SmallQueue {
  #deliveries = new Map();
  #clock;
  #processor;

  constructor({ clock, processor }) {
    this.#clock = clock;
    this.#processor = processor;
    this.deadLetters = {
      list: async () => this.#of('dead').map((kept) => this.#letterOf(kept)),
      replay: (id) => this.#replay(id),
      replayAll: async () => {
        const replayed = this.#of('dead').map(({ id }) => this.#replay(id));
        return (await Promise.all(replayed)).filter(Boolean).length;
      },
    };
  }

  async enqueue(delivery) {
    const kept = { id: delivery.facts.webhookId, delivery, receivedAt: this.#clock.now() };
    this.#deliveries.set(kept.id, kept);
    await this.#work(kept);
    return { kind: 'accepted', reason: 'queued' };
  }

  async depth() {
    return { waiting: 0, delayed: 0, active: 0, dead: this.#of('dead').length };
  }

  async recent(limit) {
    return [...this.#deliveries.values()]
      .reverse()
      .slice(0, limit)
      .map(({ delivery: { facts }, state, changedAt }) => ({ ...facts, state, changedAt }));
  }

  begin() {}
  async close() {}

  #of(state) {
    return [...this.#deliveries.values()].filter((kept) => kept.state === state);
  }

  async #replay(id) {
    const kept = this.#deliveries.get(id);
    if (kept?.state !== 'dead') return false;
    await this.#work(kept);
    return true;
  }

  async #work(kept) {
    const outcome = await this.#processor.handle(kept.delivery, { handled: [] });
    const state = outcome.kind === 'accepted' ? 'handled' : 'dead';
    Object.assign(kept, { state, handlers: outcome.handlers, changedAt: this.#clock.now() });
  }

  #letterOf({ id, delivery: { facts }, receivedAt, changedAt, handlers }) {
    const { topic, shop, webhookId } = facts;
    const given = { id, topic, shop, webhookId, receivedAt, handlers };
    return { ...given, failedAt: changedAt, attempts: 1, reason: 'A handler failed: see the log.' };
  }
}

/** Starts an app with such a queue. */
export async function startApp({ appPort }) {
  const appUrl = `http://localhost:${appPort}`;
  let fails = true;
  const shopify = platformApp({
    api: {
      ...APP,
      apiVersion: '2026-07',
      hostName: `localhost:${appPort}`,
      hostScheme: 'http',
      logger: { log: () => {} },
    },
    webhooks: {
      queue: { create: (dependencies) => new SmallQueue(dependencies) },
      PRODUCTS_CREATE: async function indexProduct() {
        if (fails) throw new Error('The index is down.');
      },
      flowActions: { 'tag-order': () => {} },
    },
  });
  const app = express().use(shopify.routes());
  app.use(PATH, shopify.webhooksPage({ authorize: () => true }));
  const server = createServer(app);
  await new Promise((resolve) => server.listen(appPort, '127.0.0.1', resolve));
  const close = async () => {
    await shopify.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const signed = { secret: APP.apiSecretKey, shop: SHOP };
  const post = async (path, { headers, body }) => {
    const answer = await fetch(appUrl + path, { method: 'POST', headers, body });
    assert.equal(answer.status, 200);
  };
  return {
    url: `${appUrl}${PATH}`,
    setFailing: (value) => void (fails = value),
    deliver: () => post('/webhooks', signedWebhook({ ...signed, topic: 'products/create' })),
    runAction: () => post('/flow', signedFlowAction({ ...signed, handle: 'tag-order' })),
    close,
  };
}

/** The steps of the walk. */
export function webhooksPageSteps(page, { url, deliver, runAction, setFailing }) {
  const depth = (name) => page.locator('dl div', { hasText: name }).locator('dd').innerText();
  const colours = () =>
    page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.body);
      return [backgroundColor, color];
    });

  return [
    [
      'the page of an app that has received nothing says so',
      async () => {
        await page.goto(url);
        await page.getByRole('heading', { name: /^Webhooks of page-key/ }).waitFor();
        assert.equal(await depth('Dead letters'), '0');
        assert.equal(await page.getByText('None.').count(), 2);
      },
    ],
    [
      'deliveries that were handled and given up are shown, actions of Flow among them',
      async () => {
        await deliver();
        await deliver();
        await runAction();
        await page.goto(url);
        assert.equal(await depth('Dead letters'), '2');
        assert.equal(await page.getByText('indexProduct').count(), 2);
        await page.getByRole('cell', { name: 'FLOW:TAG-ORDER' }).waitFor();
        assert.equal(await page.locator('.dead').count(), 2);
      },
    ],
    [
      'a click has one handled again',
      async () => {
        setFailing(false);
        await page
          .getByRole('button', { name: /^Replay PRODUCTS_CREATE/ })
          .first()
          .click();
        await page.getByRole('status').waitFor();
        assert.equal(await page.getByRole('status').innerText(), 'To be handled again: 1');
        assert.equal(await depth('Dead letters'), '1');
      },
    ],
    [
      'and the other one all that are left',
      async () => {
        await page.getByRole('button', { name: 'Replay all' }).click();
        await page.getByRole('status').waitFor();
        assert.equal(await depth('Dead letters'), '0');
        assert.equal(await page.locator('.handled').count(), 3);
      },
    ],
    [
      'a dead letter and its button fit on the screen of a phone, in the dark, too',
      async () => {
        setFailing(true);
        await deliver();
        await page.goto(url);
        const light = await colours();
        await page.setViewportSize(PHONE);
        await assertFits(page);
        const { height } = await page.getByRole('button', { name: 'Replay all' }).boundingBox();
        assert.ok(height >= 44, `the button is ${height} px high`);
        await page.emulateMedia({ colorScheme: 'dark' });
        await assertFits(page);
        assert.notDeepEqual(await colours(), light);
        assert.ok(await page.getByRole('button', { name: /^Replay PRODUCTS_CREATE/ }).isVisible());
      },
    ],
    [
      'and on a wide one',
      async () => {
        await page.setViewportSize(DESKTOP);
        await assertFits(page);
        await page.emulateMedia({ colorScheme: 'light' });
        await assertFits(page);
      },
    ],
  ];
}
