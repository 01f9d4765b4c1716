import { signedWebhook } from '../../../../lib/dev-store/index.js';
import type { SignedWebhookOptions } from '../../../../lib/dev-store/index.js';
import { API_KEY, API_SECRET } from '../../../support/app.js';
import type { Row } from '../row.js';
import { BODY_LIMIT } from '../world.js';
import type { Scene } from '../world.js';

/** What is changed of a delivery after it was signed. */
interface Change {
  readonly without?: RegExp;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly method?: string;
  readonly path?: string;
}

function deliver(
  scene: Scene,
  options: Partial<SignedWebhookOptions> = {},
  { without, headers: more, body: other, method = 'POST', path = '/webhooks' }: Change = {},
): Promise<Response> {
  const { headers, body } = signedWebhook({
    secret: API_SECRET,
    shop: scene.domain,
    topic: 'products/create',
    payload: { id: 1 },
    ...options,
  });
  const sent = Object.fromEntries(
    Object.entries({ ...headers, ...more }).filter(([name]) => !without?.test(name)),
  );
  const bytes = other === undefined ? new Uint8Array(body) : other;
  return scene.send(path, {
    method,
    headers: sent,
    body: method === 'GET' || method === 'HEAD' ? null : bytes,
  });
}

/** A server may close the connection while a client still sends what it will not read. */
function closed(error: unknown): Response {
  if (/other side closed|ECONNRESET|EPIPE/i.test(String((error as Error).cause)))
    return Response.json({ error: 'body_too_large' }, { status: 413 });
  throw error;
}

const refused = (name: string, send: Row['send'], status: number, error: string): Row => ({
  name: `a delivery ${name} is refused`,
  prepare: (scene) => scene.install(),
  send,
  expects: { status, error, stored: ['offline_'], asked: [] },
});

const ACCEPTED = { status: 200, body: 'empty' } as const;

export const WEBHOOK_ROWS: readonly Row[] = [
  {
    name: 'a delivery is handled once',
    prepare: (scene) => scene.install(),
    send: (scene) => deliver(scene),
    expects: { ...ACCEPTED, handled: 1, asked: [] },
  },
  {
    name: 'a delivery of a shop without a session is handled',
    send: (scene) => deliver(scene),
    expects: { ...ACCEPTED, handled: 1, stored: [] },
  },
  {
    name: 'a delivery that is sent again is acknowledged, and not handled again',
    async send(scene) {
      await deliver(scene, { webhookId: scene.domain });
      return deliver(scene, { webhookId: scene.domain });
    },
    expects: { ...ACCEPTED, handled: 1 },
    differs: { routesHandle: { handled: 2 } },
  },
  refused(
    'with the signature of another secret',
    (scene) => deliver(scene, { secret: 'another secret' }),
    401,
    'invalid_hmac',
  ),
  refused(
    'whose body was changed',
    (scene) => deliver(scene, {}, { body: '{"id":2}' }),
    401,
    'invalid_hmac',
  ),
  refused(
    'whose body is cut off',
    (scene) => deliver(scene, {}, { body: '{"id":' }),
    401,
    'invalid_hmac',
  ),
  refused(
    'without a signature',
    (scene) => deliver(scene, {}, { without: /hmac/i }),
    400,
    'missing_hmac',
  ),
  refused(
    'without a topic',
    (scene) => deliver(scene, {}, { without: /topic/i }),
    400,
    'missing_headers',
  ),
  refused(
    'without a shop',
    (scene) => deliver(scene, {}, { without: /domain/i }),
    400,
    'missing_headers',
  ),
  refused(
    'that names no shop',
    (scene) => deliver(scene, { shop: 'evil.example' }),
    400,
    'invalid_shop',
  ),
  refused('without a body', (scene) => deliver(scene, {}, { body: '' }), 400, 'missing_body'),
  refused(
    'that is too long',
    (scene) =>
      deliver(scene, { body: JSON.stringify({ id: 'x'.repeat(BODY_LIMIT) }) }).catch(closed),
    413,
    'body_too_large',
  ),
  refused(
    'of a topic that nobody handles',
    (scene) => deliver(scene, { topic: 'orders/paid' }),
    404,
    'topic_unknown',
  ),
  {
    name: 'a delivery that is no POST is refused',
    send: (scene) => deliver(scene, {}, { method: 'GET' }),
    expects: { status: 405, error: 'method_not_allowed', headers: { allow: 'POST' } },
  },
  {
    name: 'an uninstallation removes what is stored',
    prepare: (scene) => scene.install().then(() => scene.shop.uninstall(API_KEY)),
    send: (scene) =>
      deliver(scene, { topic: 'app/uninstalled', payload: { myshopify_domain: scene.domain } }),
    expects: { status: 200, stored: [] },
  },
  {
    name: 'an uninstallation that is signed by somebody else removes nothing',
    prepare: (scene) => scene.install(),
    send: (scene) =>
      deliver(scene, {
        secret: 'another secret',
        topic: 'app/uninstalled',
        payload: { myshopify_domain: scene.domain },
      }),
    expects: { status: 401, error: 'invalid_hmac', stored: ['offline_'] },
  },
  ...['customers/data_request', 'customers/redact', 'shop/redact'].map((topic): Row => ({
    name: `a delivery of ${topic} is acknowledged, and needs a signature`,
    async send(scene) {
      const forged = await deliver(scene, { topic, secret: 'another secret' });
      return forged.status === 401 ? deliver(scene, { topic }) : forged;
    },
    expects: { status: 200 },
    differs: { routesHandle: { status: 404, error: 'topic_unknown' } },
  })),
];
