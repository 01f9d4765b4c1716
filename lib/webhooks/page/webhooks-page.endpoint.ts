import { randomBytes } from 'node:crypto';

import type { PlatformConfig } from '../../core/config/platform-config.js';
import { cookieName, readSignedCookies, signedCookie } from '../../core/crypto/cookies.js';
import type { SecretKeys } from '../../core/crypto/secret-keys.js';
import { denied } from '../../core/decision.js';
import type { Decision, HeaderList } from '../../core/decision.js';
import { denialOfBody } from '../../core/http/body-denial.js';
import { isRecord } from '../../core/json.js';
import type { InboundRequest } from '../../core/http/inbound-request.js';
import type { Clock } from '../../core/time/clock.js';
import type { WebhookInbox } from '../../sessions/coordination/webhook.inbox.js';
import type { RecentDelivery } from '../queue/queue-status.js';
import type { WebhookQueue } from '../queue/webhook.queue.js';

/** What a {@link WebhooksPageEndpoint} works with. */
interface WebhooksPageEndpointDependencies {
  readonly config: PlatformConfig;
  readonly clock: Clock;
  readonly keys: SecretKeys;
  readonly inbox: WebhookInbox;
  readonly queue: WebhookQueue;
}

/** How many deliveries of each kind the page shows. */
const SHOWN = 25;
/** How far back the inbox is asked, in milliseconds. */
const LOOKED_BACK = 24 * 60 * 60_000;
/** A job id, which is a digest, or the longer one of another queue. */
const ID = /^[\x21-\x7e]{1,200}$/;

/**
 * A page for the people who run an app: how much the queue holds, the last deliveries, and the dead
 * letters, with replay. Who may see it is the app's to say: a host asks before it calls
 * {@link answer}.
 */
export class WebhooksPageEndpoint {
  constructor(private readonly dependencies: WebhooksPageEndpointDependencies) {}

  /**
   * Answers a request whose sender may see the page: GET shows it, POST replays.
   * @param body of a POST, as the app's parser has left it @default read from the request
   * @throws {WebhookQueueError} when the queue cannot be reached
   */
  answer(request: InboundRequest, body?: unknown): Promise<Decision> {
    if (request.method === 'POST') return this.#replay(request, body);
    return request.method === 'GET' || request.method === 'HEAD'
      ? this.#show(request)
      : Promise.resolve(
          denied(405, 'method_not_allowed', 'This page takes GET and POST.', [
            ['allow', 'GET, HEAD, POST'],
          ]),
        );
  }

  async #show(request: InboundRequest): Promise<Decision> {
    const { config, clock, queue } = this.dependencies;
    const [known] = this.#noncesOf(request);
    const nonce = known ?? randomBytes(18).toString('base64url');
    const { pageOf, PAGE_POLICY } = await import('./webhooks.page.js');
    const depth = await queue.depth();
    // One after the other: both may read bodies of megabytes.
    const recent = await this.#recent();
    const deadLetters = await queue.deadLetters.list({ limit: SHOWN });
    const replayed = /^\d{1,6}$/.exec(request.url.searchParams.get('replayed') ?? '')?.[0];
    const html = pageOf({
      apiKey: config.apiKey,
      now: clock.now(),
      token: this.#tokenOf(nonce),
      replayed,
      depth,
      recent,
      deadLetters,
    });
    const cookie: HeaderList =
      known === undefined
        ? signedCookie(this.#cookie, nonce, this.dependencies.keys, {
            path: '/',
            secure: config.appUrl.startsWith('https:'),
          })
        : [];
    return {
      kind: 'document',
      reason: 'webhooks_page',
      html,
      headers: [...PAGE_HEADERS, ['content-security-policy', PAGE_POLICY], ...cookie],
    };
  }

  async #replay(request: InboundRequest, given: unknown): Promise<Decision> {
    let body: unknown = given;
    try {
      body ??= await request.rawBody();
    } catch (error) {
      return denialOfBody(error);
    }
    const field = fieldsOf(body);
    const token = field('token') ?? '';
    const isOurs = this.#noncesOf(request).some((nonce) =>
      this.dependencies.keys.verify(messageOf(nonce), token, 'base64url', 'cookie'),
    );
    if (!isSameOrigin(request, this.dependencies.config.appUrl) || !isOurs)
      return denied(403, 'cross_site', 'This form has expired. Load the page again.');
    const { deadLetters } = this.dependencies.queue;
    const id = field('id');
    if (field('all') === undefined && (id === undefined || !ID.test(id)))
      return denied(400, 'invalid_id', 'Name the dead letter in the field id, or send all.');
    const count =
      id === undefined ? await deadLetters.replayAll() : Number(await deadLetters.replay(id));
    // Relative, so that it holds wherever the page is mounted.
    return { kind: 'redirect', location: `?replayed=${count}`, reason: 'replayed' };
  }

  async #recent(): Promise<RecentDelivery[]> {
    const { config, clock, inbox, queue } = this.dependencies;
    const queued = await queue.recent(SHOWN);
    if (queued) return queued;
    const moment = new Date(clock.now().getTime() - LOOKED_BACK);
    const found = (await inbox.since?.(config.apiKey, moment)) ?? [];
    return found
      .sort((one, other) => other.changedAt.getTime() - one.changedAt.getTime())
      .slice(0, SHOWN)
      .map(({ shop, webhookId, isDone, changedAt }) => ({
        shop,
        webhookId,
        state: isDone ? 'handled' : 'open',
        changedAt,
      }));
  }

  get #cookie(): string {
    return cookieName('webhooks_page', this.dependencies.config.apiKey);
  }

  #noncesOf(request: InboundRequest): string[] {
    return readSignedCookies(request.header('cookie'), this.#cookie, this.dependencies.keys);
  }

  #tokenOf(nonce: string): string {
    return this.dependencies.keys.sign(messageOf(nonce), 'base64url', 'cookie');
  }
}

/** Another text than that of the cookie's own signature, which the browser has. */
function messageOf(nonce: string): string {
  return `webhooks-page ${nonce}`;
}

/** `no-referrer` would make the browser hide the origin of the form. */
const PAGE_HEADERS: HeaderList = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'same-origin'],
];

/**
 * True when the browser says that a page of this origin has sent the form. A proxy may have put
 * another `Host` in the place of the app's.
 */
function isSameOrigin(request: InboundRequest, appUrl: string): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.header('origin') ?? '';
  if (!URL.canParse(origin)) return false;
  return origin === appUrl || new URL(origin).host === request.header('host');
}

/** The fields of a form, parsed by the app or not; one that comes twice is none. */
function fieldsOf(body: unknown): (name: string) => string | undefined {
  if (Buffer.isBuffer(body) || typeof body === 'string') {
    const form = new URLSearchParams(body.toString());
    return (name) => (form.getAll(name).length === 1 ? form.get(name)! : undefined);
  }
  return (name) => {
    const value = isRecord(body) && Object.hasOwn(body, name) ? body[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
}
