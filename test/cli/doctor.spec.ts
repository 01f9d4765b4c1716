import { afterEach, describe, expect, it } from '@jest/globals';

import { examineApp } from '../../lib/cli/commands/doctor.command.js';
import type { Finding } from '../../lib/cli/doctor/finding.js';
import { API_KEY, API_SECRET } from '../support/app.js';
import { FAULTS, openFaultyApp } from './apps/faulty-app.js';
import { command } from './command.js';

const ENV = { PLATFORM_API_KEY: API_KEY, PLATFORM_API_SECRET: API_SECRET };

let app: Awaited<ReturnType<typeof openFaultyApp>> | undefined;
afterEach(() => app?.close());

async function examined(
  fault?: keyof typeof FAULTS,
): Promise<{ url: string; findings: Finding[]; code: number }> {
  app = await openFaultyApp(fault);
  const { code, out } = await command(['doctor', app.url, '--api', '/api', '--json'], { env: ENV });
  const findings = out.trimEnd().split('\n');
  return { url: app.url, code, findings: findings.map((line) => JSON.parse(line)) };
}

describe('shopwright doctor', () => {
  it('finds nothing wrong with an app of the toolkit', async () => {
    const { findings, code } = await examined();
    expect(findings.filter(({ outcome }) => outcome === 'fail')).toEqual([]);
    expect(code).toBe(0);
    // On this machine there is no certificate.
    expect(findings.filter(({ outcome }) => outcome === 'skip').map(({ check }) => check)).toEqual([
      'https',
      'certificate',
      'https-redirect',
    ]);
    expect(findings.length).toBeGreaterThan(15);
  });

  it.each<[keyof typeof FAULTS, string[]]>([
    ['takes every delivery', ['webhook-bad-signature', 'webhook-no-signature']],
    ['takes a delivery without a signature', ['webhook-no-signature']],
    ['answers a wrong signature with 400', ['webhook-bad-signature']],
    ['takes no privacy topic', ['webhook-good-signature']],
    ['begins OAuth for any host', ['oauth-shop']],
    ['begins OAuth without a state', ['oauth-redirect']],
    ['lets scripts read the state', ['oauth-state-cookie']],
    ['leaves the frame to anywhere', ['open-redirect']],
    ['redirects to the host that is asked for', ['open-redirect']],
    ['says nothing about frames', ['frame-ancestors']],
    ['lets every page frame it', ['frame-ancestors']],
    ['lets one shop frame it', ['frame-ancestors']],
    ['lets no page frame it', ['x-frame-options']],
    ['fails without a session', ['install']],
    ['fails on unknown paths', ['unknown-path']],
    ['shows stack traces', ['leaks']],
    ['shows a token in an error', ['leaks']],
    ['has an open API', ['api-no-token', 'api-bad-token', 'api-other-app']],
    ['takes every token', ['api-bad-token', 'api-other-app']],
    ['takes tokens of other apps', ['api-other-app']],
  ])('finds an app that %s', async (fault, checks) => {
    const { findings, code } = await examined(fault);
    const failures = findings.filter(({ outcome }) => outcome === 'fail');
    expect(failures.map(({ check }) => check)).toEqual(expect.arrayContaining(checks));
    for (const { fix, seen } of failures)
      expect([fix, seen]).toEqual([expect.any(String), expect.stringMatching(/\w/)]);
    expect(code).toBe(1);
  });

  it('finds an app that handles a delivery before it answers', async () => {
    app = await openFaultyApp('handles before it answers');
    const out: string[] = [];
    const output = { write: (text: string) => out.push(text) };
    const options = { url: new URL(app.url), secret: API_SECRET, longestWait: 250 };
    expect(await examineApp(options, { stdout: output, stderr: output })).toBe(1);
    expect(out.join('')).toMatch(/fail webhook-time: an answer took \d+ ms\n {5}fix: Answer first/);
  });

  it('delivers nothing of the shop that is named', async () => {
    app = await openFaultyApp();
    const shop = 'a-customer.myshopify.com';
    const { code } = await command(['doctor', app.url, '--shop', shop], { env: ENV });
    expect([code, app.shops.size, app.shops.has(shop)]).toEqual([0, 1, false]);
  });

  it('leaves out what needs the secret, and prints a sentence for each check', async () => {
    app = await openFaultyApp();
    const { code, out, err } = await command(['doctor', app.url]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('skip webhook-good-signature: the secret of the app is not known');
    expect(out).toContain('skip api-no-token: no path of the API is known');
    expect(out).toMatch(/\n\d+ passed, 0 failed, \d+ left out\.\n$/);
  });

  it('finds an app that does not answer', async () => {
    app = await openFaultyApp();
    const { url, close } = app;
    await close();
    app = undefined;
    const { code, out } = await command(['doctor', url]);
    expect([code, out]).toEqual([1, expect.stringContaining('fail install: ECONNREFUSED')]);
  });

  it.each<[string, RegExp, string[]]>([
    ['without an address', /The address of the app is missing/, []],
    ['with a path', /The address of an app is one such as/, ['/app']],
    ['with a file', /The address of an app is one such as/, ['file:///etc/passwd']],
    ['with another host as a path', /--auth takes a path/, ['http://a.example', '--auth', '//b']],
    ['with an address as a path', /--api takes/, ['http://a.example', '--api', 'http://b.example']],
  ])('called %s says what is wrong', async (_, message, args) => {
    const { code, err } = await command(['doctor', ...args]);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
