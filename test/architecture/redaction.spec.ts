import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { SecretsInUse } from '../support/redaction/secrets.in-use.js';
import { ROOT } from './source-tree.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

/** Where each secret of the fixture gets out, and as what it came in. */
const WAYS: [way: string, kind: string, where: string][] = [
  ['a-log-line', 'stored access token', 'log line'],
  ['an-error', 'stored access token', 'error'],
  ['a-cause', 'stored access token', 'error'],
  ['a-connection', 'password of a server', 'error'],
  ['the-output', 'stored access token', 'output'],
  ['an-address', 'stored access token', 'address called'],
  ['a-redirect', 'stored access token', 'reply header location'],
  ['a-web-reply', 'access_token', 'reply'],
  ['a-header', 'id_token', 'reply header'],
  ['a-page', 'authorization', 'reply'],
];

describe('the watch over secrets', () => {
  it('fails a file whose tests pass, and names each secret and each way out, but shows none', () => {
    const jest = [
      '--experimental-vm-modules',
      '--no-warnings',
      'node_modules/jest/bin/jest.js',
      '--ci',
      '--runInBand',
    ];
    const { status, stderr } = spawnSync(
      process.execPath,
      [...jest, '--testMatch', '**/leaky.fixture.ts'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    );
    const found = [...stderr.matchAll(/^\s*- (.+) ([0-9a-f]{8}) in (.+?): /gm)].map(
      ([, kind, hash, where]) => [hash, kind, where],
    );
    const hashOf = (way: string): string =>
      createHash('sha256').update(`planted+for+${way}`).digest('hex').slice(0, 8);
    expect(found.sort()).toEqual(WAYS.map(([way, ...rest]) => [hashOf(way), ...rest]).sort());
    expect(stderr).toContain(join('redaction', 'leaky.fixture.ts'));
    expect(stderr).not.toContain('planted+for+');
    expect(status).toBe(1);
    // A second run of jest, which starts slowly on a busy machine.
  }, 120_000);

  it.each<[string, string, string[]]>([
    [
      'an address',
      `https://a.example/?id_token=${JWT}&code=0123456789ab&shop=a.myshopify.com`,
      [JWT, '0123456789ab'],
    ],
    [
      'a grant',
      '{"client_secret":"abcdefghijkl","code":"0123456789ab"}',
      ['abcdefghijkl', '0123456789ab'],
    ],
    [
      'a token reply',
      '{"access_token": "shpat_012345","refresh_token":"shprt_012345"}',
      ['shpat_012345', 'shprt_012345'],
    ],
    ['an error of an API', '{"errors":[{"code":"ACCESS_DENIED"}]}', []],
    ['a page', `<script src="x" data-token="${JWT}"></script>`, [JWT]],
    ['a value too short to be told from a word', '{"access_token":"token"}', []],
  ])('knows the secrets in %s', (_, text, secrets) => {
    const used = new SecretsInUse();
    used.learnFrom(text);
    expect(used.foundIn(`${text} ACCESS_DENIED`)).toEqual(secrets);
  });
});
