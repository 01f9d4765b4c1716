import { describe, expect, it } from '@jest/globals';

import { InvalidTokenReplyError } from '../../../lib/auth/auth.errors.js';
import { TokenClient, oauthErrorCode } from '../../../lib/auth/tokens/token.client.js';
import type { ConfigOptions } from '../../../lib/core/config/config.options.js';
import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import {
  HttpInternalError,
  HttpResponseError,
  HttpThrottlingError,
  HttpTimeoutError,
} from '../../../lib/core/http/http.errors.js';
import { HttpTransport } from '../../../lib/core/http/http-transport.js';
import { PlatformLogger } from '../../../lib/core/logger.js';
import type { LogSeverity } from '../../../lib/core/logger.js';
import { ManualClock } from '../../support/manual.clock.js';
import { ScriptedFetch, json } from '../../support/scripted-fetch.js';
import type { Scripted } from '../../support/scripted-fetch.js';
import { API_KEY, SECRET, SHOP } from '../auth.fixture.js';

const OFFLINE = 'urn:shopify:params:oauth:token-type:offline-access-token';
const ONLINE = 'urn:shopify:params:oauth:token-type:online-access-token';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const TOKEN = { access_token: 'shpat_0123456789', scope: 'write_products' };

class Endpoint extends ScriptedFetch {
  readonly clock = new ManualClock(999);
  readonly lines: string[] = [];
  readonly client: TokenClient;

  constructor(answers: readonly Scripted[], options: Partial<ConfigOptions> = {}) {
    super(...answers);
    const config = resolveConfig(
      {
        apiKey: API_KEY,
        apiSecretKey: [SECRET, 'the-old-secret'],
        appUrl: 'https://app.example.com',
        apiVersion: '2026-07',
        ...options,
      },
      { environment: {} },
    );
    const logger = new PlatformLogger(
      { log: (_severity: LogSeverity, line: string) => this.lines.push(line) },
      this.clock,
    );
    this.client = new TokenClient(
      config,
      new HttpTransport({ fetch: this.fetch, clock: this.clock }),
      logger,
    );
  }

  get bodies(): unknown[] {
    return this.sent.map(({ body }) => JSON.parse(body ?? '') as unknown);
  }
}

/** Every limit of time is over as soon as nothing else goes on. */
class ImpatientClock extends ManualClock {
  readonly limits: number[] = [];

  override timer(ms: number, ring: () => void): () => void {
    this.limits.push(ms);
    const timer = setImmediate(ring);
    return () => clearImmediate(timer);
  }
}

/** One that takes requests and never answers. */
function silentEndpoint(): { client: TokenClient; clock: ImpatientClock } {
  const clock = new ImpatientClock();
  const silent = ((_url: string, init?: RequestInit) =>
    new Promise((_, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
    )) as typeof fetch;
  const config = resolveConfig(
    {
      apiKey: API_KEY,
      apiSecretKey: SECRET,
      appUrl: 'https://app.example.com',
      apiVersion: '2026-07',
    },
    { environment: {} },
  );
  return {
    client: new TokenClient(
      config,
      new HttpTransport({ fetch: silent, clock }),
      new PlatformLogger({ log: () => {} }, clock),
    ),
    clock,
  };
}

describe('TokenClient', () => {
  it.each<[string, (client: TokenClient) => Promise<unknown>, object]>([
    ['a code', (client) => client.exchangeCode(SHOP, 'c0de'), { code: 'c0de', expiring: '1' }],
    [
      'a session token for the app’s own token',
      (client) => client.exchangeToken(SHOP, 'a.b.c', 'offline'),
      {
        grant_type: EXCHANGE,
        subject_token: 'a.b.c',
        subject_token_type: ID_TOKEN,
        requested_token_type: OFFLINE,
        expiring: '1',
      },
    ],
    [
      'a session token for a user’s token',
      (client) => client.exchangeToken(SHOP, 'a.b.c', 'online', { expiring: false }),
      {
        grant_type: EXCHANGE,
        subject_token: 'a.b.c',
        subject_token_type: ID_TOKEN,
        requested_token_type: ONLINE,
        expiring: '0',
      },
    ],
    [
      'a refresh token',
      (client) => client.refresh(SHOP, 'shprt_1'),
      { refresh_token: 'shprt_1', grant_type: 'refresh_token' },
    ],
    [
      'nothing but the secret',
      (client) => client.clientCredentials(SHOP),
      { grant_type: 'client_credentials' },
    ],
    [
      'a token that never expires',
      (client) => client.migrate(SHOP, 'shpat_old'),
      {
        grant_type: EXCHANGE,
        subject_token: 'shpat_old',
        subject_token_type: OFFLINE,
        requested_token_type: OFFLINE,
        expiring: '1',
      },
    ],
  ])(
    'trades in %s, in the words of the platform and with the current secret',
    async (_, ask, fields) => {
      const endpoint = new Endpoint([json(TOKEN)]);
      await ask(endpoint.client);
      expect(endpoint.last).toMatchObject({
        url: `https://${SHOP}/admin/oauth/access_token`,
        method: 'POST',
      });
      // As text: the tests of moved apps compare it, with the fields in this order.
      expect(endpoint.sent.map(({ body }) => body)).toEqual([
        JSON.stringify({ client_id: API_KEY, client_secret: SECRET, ...fields }),
      ]);
    },
  );

  it('asks for tokens that never expire when the app wants such', async () => {
    const endpoint = new Endpoint([() => json(TOKEN)], { expiringOfflineAccessTokens: false });
    await endpoint.client.exchangeCode(SHOP, 'c0de');
    await endpoint.client.exchangeToken(SHOP, 'a.b.c', 'offline');
    expect(endpoint.bodies).toEqual([
      expect.objectContaining({ expiring: '0' }),
      expect.objectContaining({ expiring: '0' }),
    ]);
  });

  describe('when a reply says nothing about its end', () => {
    it('takes the first grant of an offline token for what it is', async () => {
      const endpoint = new Endpoint([() => json(TOKEN)]);
      const replies = [
        await endpoint.client.exchangeCode(SHOP, 'c'),
        await endpoint.client.exchangeToken(SHOP, 'a.b.c', 'offline'),
      ];
      expect(replies.map((reply) => reply.expires_in)).toEqual([undefined, undefined]);
      expect(endpoint.lines).toEqual([]);
    });

    it.each<
      [string, object, (client: TokenClient) => Promise<{ expires_in?: number | null | undefined }>]
    >([
      ['a refresh', {}, (client) => client.refresh(SHOP, 'shprt_1')],
      ['a null', { expires_in: null }, (client) => client.refresh(SHOP, 'shprt_1')],
      ['a migration', {}, (client) => client.migrate(SHOP, 'shpat_old')],
      ['client credentials', {}, (client) => client.clientCredentials(SHOP)],
      [
        'an online token',
        { associated_user: { id: 1 } },
        (client) => client.exchangeToken(SHOP, 'a.b.c', 'online'),
      ],
      [
        'an online token by code',
        { associated_user: { id: 1 } },
        (client) => client.exchangeCode(SHOP, 'c'),
      ],
      [
        'a token with a refresh token',
        { refresh_token: 'shprt_1' },
        (client) => client.exchangeCode(SHOP, 'c'),
      ],
    ])('assumes an hour for %s, and says so', async (_, more, ask) => {
      const endpoint = new Endpoint([json({ ...TOKEN, ...more })]);
      expect((await ask(endpoint.client)).expires_in).toBe(3600);
      expect(endpoint.lines).toEqual([expect.stringMatching(/WARNING.*an hour is assumed/)]);
    });
  });

  describe('dates a grant', () => {
    it('by our clock, from before it was asked for, when the platform’s agrees', async () => {
      const { time: start } = new ManualClock();
      const answering: Endpoint = new Endpoint([
        () => {
          answering.clock.time += 1500;
          return json(TOKEN, { headers: { date: new Date(start + 1000).toUTCString() } });
        },
      ]);
      const reply = await answering.client.exchangeCode(SHOP, 'c');
      expect([reply.askedAt, reply.grantedAt]).toEqual([new Date(start), new Date(start)]);
    });

    it('by the platform’s clock when ours is wrong; lifetimes count by ours all the same', async () => {
      const endpoint: Endpoint = new Endpoint([
        () =>
          json(TOKEN, {
            headers: { date: new Date(endpoint.clock.time - 3_600_000).toUTCString() },
          }),
      ]);
      const reply = await endpoint.client.exchangeCode(SHOP, 'c');
      expect(reply.grantedAt).toEqual(new Date(endpoint.clock.time - 3_600_000));
      expect(reply.askedAt).toEqual(new Date(endpoint.clock.time));
    });
  });

  describe('when the endpoint fails', () => {
    const repeatable: [string, (client: TokenClient) => Promise<unknown>][] = [
      ['a refresh', (client) => client.refresh(SHOP, 'shprt_1')],
      ['an exchange', (client) => client.exchangeToken(SHOP, 'a.b.c', 'offline')],
    ];
    const failures: Scripted[] = [
      () => json({}, { status: 502 }),
      new TypeError('fetch failed'),
      () => json({ access_token: '' }),
    ];
    it.each(repeatable)(
      'sends %s up to four times, after longer and longer pauses',
      async (_, ask) => {
        for (const failure of failures) {
          for (const losses of [1, 2, 3]) {
            const lost = Array.from({ length: losses }, () => failure);
            const recovering = new Endpoint([...lost, json({ ...TOKEN, expires_in: 60 })]);
            await expect(ask(recovering.client)).resolves.toMatchObject(TOKEN);
            expect(recovering.clock.slept).toEqual([250, 500, 750].slice(0, losses));
          }
          const failing = new Endpoint([failure]);
          await expect(ask(failing.client)).rejects.toThrow();
          expect(failing.sent).toHaveLength(4);
        }
      },
    );

    it.each<[string, number[], (client: TokenClient) => Promise<unknown>]>([
      ['a refresh', [10_000, 5_000, 5_000, 5_000], (client) => client.refresh(SHOP, 'shprt_1')],
      [
        'a token on the strength of the secret',
        [10_000, 5_000, 5_000, 5_000],
        (client) => client.clientCredentials(SHOP),
      ],
      ['a migration', [10_000, 5_000, 5_000, 5_000], (client) => client.migrate(SHOP, 'shpat_1')],
      ['an exchange', [10_000], (client) => client.exchangeToken(SHOP, 'a.b.c', 'offline')],
      ['a code', [10_000], (client) => client.exchangeCode(SHOP, 'c')],
    ])('waits for %s no longer than %j', async (_, limits, ask) => {
      const { client, clock } = silentEndpoint();
      await expect(ask(client)).rejects.toBeInstanceOf(HttpTimeoutError);
      expect(clock.limits).toEqual(limits);
      // Whoever waits for the lock of the shop has 30 s.
      expect([...limits, ...clock.slept].reduce((sum, ms) => sum + ms, 0)).toBeLessThan(27_000);
    });

    it('spends a code once', async () => {
      const endpoint = new Endpoint([json({}, { status: 503 }), json(TOKEN)]);
      await expect(endpoint.client.exchangeCode(SHOP, 'c')).rejects.toBeInstanceOf(
        HttpInternalError,
      );
      expect(endpoint.sent).toHaveLength(1);
    });

    it('does not repeat what the platform refuses', async () => {
      const endpoint = new Endpoint([json({ error: 'invalid_grant' }, { status: 400 })]);
      const refused = await endpoint.client
        .refresh(SHOP, 'shprt_1')
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(HttpResponseError);
      expect([oauthErrorCode(refused), endpoint.sent.length]).toEqual(['invalid_grant', 1]);
      const busy = new Endpoint([json({}, { status: 429 })]);
      await expect(busy.client.refresh(SHOP, 'shprt_1')).rejects.toBeInstanceOf(
        HttpThrottlingError,
      );
      expect(busy.sent).toHaveLength(1);
    });

    // The log said "400 Bad Request", and nothing else.
    it.each<[object, string]>([
      [{ error: 'application_not_installed' }, '"application_not_installed"'],
      [
        { error: 'invalid_client', error_description: 'No such app' },
        '"invalid_client": "No such app"',
      ],
      [{ error: '', error_description: 'A\nB' }, '"A\\nB"'],
      [{ errors: 'Unavailable Shop', error: 'no' }, '"Unavailable Shop"'],
    ])('says why the platform refuses: %j', async (body, why) => {
      const endpoint = new Endpoint([json(body, { status: 400 })]);
      await expect(endpoint.client.refresh(SHOP, 'shprt_1')).rejects.toThrow(
        `Received an error: the platform answered 400:\n${why}`,
      );
    });

    it('names a refusal only where there is one', () => {
      expect([new Error('invalid_grant'), undefined, 'invalid_grant'].map(oauthErrorCode)).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    });

    it('quotes no secret, even if the platform does', async () => {
      const secrets = ['shprt_0123456789', SECRET];
      const endpoint = new Endpoint([
        json(
          { error: 'invalid_request', error_description: `no: ${secrets.join(' ')}` },
          { status: 400 },
        ),
      ]);
      const error: unknown = await endpoint.client
        .refresh(SHOP, 'shprt_0123456789')
        .catch((refused: unknown) => refused);
      const told = JSON.stringify([error, (error as Error).message]);
      expect(oauthErrorCode(error)).toBe('invalid_request');
      for (const secret of secrets) expect(told).not.toContain(secret);
    });

    // It was read until the time was over: gigabytes, with a fast connection.
    it('reads no more of a reply than a token can have', async () => {
      let bytes = 0;
      const endless = (): Response =>
        new Response(
          new ReadableStream({
            pull(stream) {
              bytes += 100_000;
              stream.enqueue(new Uint8Array(100_000));
            },
          }),
        );
      const { client } = new Endpoint([endless]);
      await expect(client.exchangeCode(SHOP, 'c0de')).rejects.toThrow(InvalidTokenReplyError);
      expect(bytes).toBeLessThan(2_000_000);
    });

    it('takes no reply without a token for one', async () => {
      const endpoint = new Endpoint([() => json({ access_token: '' })]);
      await expect(endpoint.client.refresh(SHOP, 'shprt_1')).rejects.toBeInstanceOf(
        InvalidTokenReplyError,
      );
    });
  });
});
