import { describe, expect, it } from '@jest/globals';

import type { PlatformOptions } from '../../lib/index.js';
import { HOSTS } from '../support/hosts.js';
import { Platform, sessionToken } from './web/web.fixture.js';

const FLAGS = ['tokenExchange', 'unstable_newEmbeddedAuthStrategy'] as const;

describe.each(HOSTS)('a shop of $name that has granted less', ({ open, isWeb, alwaysEmbedded }) => {
  /** Status of the answers to two requests with a session token. */
  const statuses = async (options: Partial<PlatformOptions>): Promise<number[]> => {
    const host = await open({
      options: {
        scopes: ['write_products', 'read_orders'],
        fetch: new Platform().fetch,
        ...options,
      },
    });
    const headers = { authorization: `Bearer ${sessionToken()}` };
    const answers = [
      await fetch(`${host.url}/page`, { headers }),
      await fetch(`${host.url}/page`, { headers }),
    ];
    await host.close();
    return answers.map(({ status }) => status);
  };

  it.each(FLAGS)('uses the app with %s', async (flag) => {
    await expect(statuses({ future: { [flag]: true } })).resolves.toEqual([200, 200]);
  });

  it.each(FLAGS)('is asked for the rest without %s, unless the host never asks', async (flag) => {
    const asked = isWeb ? 401 : 403;
    const status = alwaysEmbedded ? 200 : asked;
    await expect(statuses({ future: { [flag]: false } })).resolves.toEqual([status, status]);
  });
});
