import { describe, expect, it } from '@jest/globals';

import { apiTarget, TokenRenewer } from '../../../lib/core/api-session.js';
import { attachRequest } from '../../../lib/core/session-request.js';
import type { ApiSession, RefusedToken } from '../../../lib/core/api-session.js';
import type { SessionRequest } from '../../../lib/core/session-request.js';
import { resolveConfig } from '../../../lib/core/config/config.schema.js';
import { AuthenticationError } from '../../../lib/core/http/http.errors.js';
import { PlatformLogger } from '../../../lib/core/logger.js';
import { AdminRestClient } from '../../../lib/rest-client/admin-rest.client.js';
import { SHOP, appOptions } from '../../support/app.js';
import { apiCaller } from '../../support/api-caller.js';
import { ManualClock } from '../../support/manual.clock.js';
import { ScriptedFetch, json } from '../../support/scripted-fetch.js';

const SESSION = { shop: SHOP, accessToken: 'token-1' };
const refused = (): Response =>
  json({ errors: 'Invalid API key or access token' }, { status: 401 });
const done = (): Response => json({});

/** Gives out the tokens it was made with, one after another. */
class Renewer extends TokenRenewer {
  readonly asked: RefusedToken[] = [];
  readonly #tokens: (string | undefined)[];

  constructor(...tokens: (string | undefined)[]) {
    super();
    this.#tokens = tokens;
  }

  async renew(session: ApiSession, token: RefusedToken): Promise<ApiSession | 'ended'> {
    this.asked.push(token);
    const accessToken = this.#tokens.shift();
    return accessToken === undefined ? 'ended' : { ...session, accessToken };
  }
}

function clientOf(
  fetch: ScriptedFetch,
  renewer: TokenRenewer,
  request: SessionRequest = {},
  retries = 0,
) {
  const clock = new ManualClock();
  const config = resolveConfig(appOptions());
  const logger = new PlatformLogger({ log: () => {} }, clock);
  const session = { ...SESSION };
  attachRequest(session, request);
  return new AdminRestClient(
    config,
    apiCaller(fetch.fetch, clock, { retries }),
    logger,
    {},
    renewer,
  ).for(session);
}

const tokensOf = (fetch: ScriptedFetch): (string | undefined)[] =>
  fetch.sent.map(({ headers }) => headers['x-shopify-access-token']);

describe('a call whose token is refused', () => {
  it('is sent once more with another token, word for word, and so are the calls after it', async () => {
    const fetch = new ScriptedFetch(refused, done);
    const renewer = new Renewer('token-2');
    const client = clientOf(fetch, renewer, { sessionToken: 'a.b.c' });
    await client.post({
      path: 'products',
      data: { product: { title: 'Lamp' } },
      extraHeaders: { 'X-Own': '1' },
    });
    await client.get({ path: 'shop' });
    expect(tokensOf(fetch)).toEqual(['token-1', 'token-2', 'token-2']);
    const [first, second] = fetch.sent;
    expect(second).toEqual({
      ...first,
      headers: { ...first!.headers, 'x-shopify-access-token': 'token-2' },
    });
    expect(renewer.asked).toEqual([{ refused: 'token-1', sessionToken: 'a.b.c' }]);
  });

  it('fails with the typed error when the other token is refused as well, and is not sent a third time', async () => {
    const fetch = new ScriptedFetch(refused);
    const renewer = new Renewer('token-2', 'token-3');
    await expect(clientOf(fetch, renewer, {}, 3).get({ path: 'shop' })).rejects.toBeInstanceOf(
      AuthenticationError,
    );
    expect([tokensOf(fetch), renewer.asked.length]).toEqual([['token-1', 'token-2'], 1]);
  });

  it('fails with the typed error when there is no other token', async () => {
    const fetch = new ScriptedFetch(refused);
    await expect(
      clientOf(fetch, new Renewer(undefined)).get({ path: 'shop' }),
    ).rejects.toBeInstanceOf(AuthenticationError);
    expect(fetch.sent).toHaveLength(1);
  });

  it('fails with what the request of its session makes when there is no other token', async () => {
    const fetch = new ScriptedFetch(refused);
    const whenRefused = (): Response => new Response(null, { status: 410 });
    await expect(
      clientOf(fetch, new Renewer(undefined), { whenRefused }).get({ path: 'shop' }),
    ).rejects.toMatchObject({ status: 410 });
  });

  it('keeps the retries it has for what comes after', async () => {
    const fetch = new ScriptedFetch(refused, () => json({}, { status: 503 }), done);
    await clientOf(fetch, new Renewer('token-2'), {}, 1).get({ path: 'shop' });
    expect(tokensOf(fetch)).toEqual(['token-1', 'token-2', 'token-2']);
  });

  it('takes the token that another call has found meanwhile', async () => {
    const renewer = new Renewer('token-2', 'token-3');
    const target = apiTarget(resolveConfig(appOptions()), SESSION, renewer);
    expect([
      await target.token.replace('token-1'),
      await target.token.replace('token-1'),
      target.token.current,
    ]).toEqual(['token-2', 'token-2', 'token-2']);
    expect(renewer.asked).toHaveLength(1);
  });

  it('never carries a token that no header can', async () => {
    const target = apiTarget(resolveConfig(appOptions()), SESSION, new Renewer('a\nb'));
    expect([await target.token.replace('token-1'), target.token.current]).toEqual([
      undefined,
      'token-1',
    ]);
  });

  it('has no other token in an app whose token is fixed', async () => {
    const config = resolveConfig(
      appOptions({ distribution: 'shopify_admin' as never, adminApiAccessToken: 'shpat_fixed' }),
    );
    const renewer = new Renewer('token-2');
    const { token } = apiTarget(config, SESSION, renewer);
    expect([await token.replace('shpat_fixed'), renewer.asked]).toEqual([undefined, []]);
  });
});
