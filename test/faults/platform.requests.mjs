import { request } from 'node:http';

import { signedSessionToken, signedWebhook } from 'shopwright/dev-store';

import { APP } from './app.facts.mjs';

/** Nobody waits longer for an answer: an app that takes so long hangs. In milliseconds. */
const PATIENCE = 30_000;
const { apiKey, apiSecretKey: secret } = APP;

/**
 * Delivers a webhook as the platform does, each attempt on a connection of its own.
 * @param options.hangUpAfter milliseconds
 * @returns `{ status, error, retryAfter, ms }`; `status` 0 when there is no answer, and `error`
 * says why
 */
export function deliver(
  app,
  { shop, webhookId, payload = {}, triggeredAt, hangUpAfter = PATIENCE },
) {
  const { headers, body } = signedWebhook({
    secret,
    shop,
    topic: 'PRODUCTS_CREATE',
    payload,
    webhookId,
    ...(triggeredAt && { triggeredAt }),
  });
  return send(`${app.url}/webhooks`, { method: 'POST', headers, body, hangUpAfter });
}

/** A merchant's browser asks for a page with a session token of the admin. */
export function visit(app, shop) {
  const token = signedSessionToken({ apiKey, secret, shop });
  return send(`${app.url}/page`, {
    headers: { Authorization: `Bearer ${token}`, 'X-Requested-With': 'XMLHttpRequest' },
  });
}

/** A job of the app needs the shop's token. */
export function askForToken(app, shop) {
  return send(`${app.url}/token?shop=${shop}`, {});
}

/** What the queue of an app has given up, and that it is to be handled again. */
export function askForDeadLetters(app) {
  return send(`${app.url}/dead-letters`, {});
}

export function replayDeadLetters(app) {
  return send(`${app.url}/replays`, {});
}

async function send(url, { method = 'GET', headers = {}, body, hangUpAfter = PATIENCE }) {
  const start = performance.now();
  const answer = await new Promise((resolve) => {
    const sent = request(url, { method, headers, agent: false }, async (response) => {
      let text = '';
      try {
        for await (const chunk of response) text += chunk;
        resolve({
          status: response.statusCode,
          retryAfter: response.headers['retry-after'],
          ...parsed(text),
        });
      } catch (error) {
        resolve({ status: 0, error: error.code ?? error.message });
      }
    });
    sent.setTimeout(hangUpAfter, () =>
      sent.destroy(Object.assign(new Error(), { code: 'HUNG_UP' })),
    );
    sent.on('error', (error) => resolve({ status: 0, error: error.code ?? error.message }));
    sent.end(body);
  });
  return { ...answer, ms: Math.round(performance.now() - start) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { error: text === '' ? undefined : `no JSON: ${text.slice(0, 200)}` };
  }
}
