import { execFile } from 'node:child_process';
import { createServer as createPlainServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import type { Finding } from '../../lib/cli/doctor/finding.js';
import { certificate } from '../support/certificates.js';
import type { Authority, Issued } from '../support/certificates.js';
import { transpile } from '../support/transpile.js';
import type { Transpiled } from '../support/transpile.js';

// On a busy machine a process takes its time to start.
jest.setTimeout(60_000);

const HOST = 'app.example.com';

let authority: Authority;
let program: Transpiled;
let server: Server | undefined;
beforeAll(async () => {
  program = await transpile('test/cli/doctor.program.ts');
  authority = certificate();
  await writeFile(join(program.folder, 'authority.pem'), authority.cert);
});
afterAll(() => program.remove());
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

/**
 * What is found out about the connection to an app that has this certificate, by somebody who
 * trusts the authority alone.
 */
async function examined(issued?: Issued, scheme = 'https'): Promise<Record<string, Finding>> {
  server = issued ? createServer(issued) : createPlainServer();
  server.on('request', (_req, res) => void res.end());
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = join(program.folder, 'test/cli/doctor.program.js');
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(program.folder, 'authority.pem') };
  const out = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [file, `${scheme}://${HOST}:${port}`],
      { env: { ...env, NODE_OPTIONS: '' } },
      (_, stdout) => resolve(stdout),
    );
  });
  const findings = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Finding);
  return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
}

describe('shopwright doctor, of an app that is not on this machine', () => {
  it('finds a certificate of a known authority for its host good', async () => {
    const { https, certificate: found } = await examined(
      certificate({ host: HOST, issuer: authority }),
    );
    expect([https, found]).toMatchObject([
      { outcome: 'pass', seen: expect.stringContaining(`https://${HOST}`) },
      { outcome: 'pass', seen: 'valid for 89 more days' },
    ]);
  });

  it.each<[string, () => Issued, RegExp]>([
    ['that nobody has signed', () => certificate({ host: HOST }), /^DEPTH_ZERO_SELF_SIGNED_CERT/],
    [
      'of an authority that nobody knows',
      () => certificate({ host: HOST, issuer: certificate() }),
      /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY)/,
    ],
    [
      'whose chain lacks a link',
      () => certificate({ host: HOST, issuer: certificate({ issuer: authority }) }),
      /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY)/,
    ],
    [
      'that has expired',
      () => certificate({ host: HOST, issuer: authority, validFor: -1 }),
      /^CERT_HAS_EXPIRED/,
    ],
    [
      'that is about to expire',
      () => certificate({ host: HOST, issuer: authority, validFor: 5.5 }),
      /^only valid for 5 more days$/,
    ],
    [
      'of another host',
      () => certificate({ host: 'other.example.com', issuer: authority }),
      /^ERR_TLS_CERT_ALTNAME_INVALID/,
    ],
  ])('finds a certificate %s', async (_, issued, seen) => {
    const { https, certificate: found } = await examined(issued());
    expect([https?.outcome, found]).toMatchObject([
      'pass',
      {
        outcome: 'fail',
        seen: expect.stringMatching(seen),
        fix: expect.stringMatching(/^Install/),
      },
    ]);
  });

  it('finds one whose chain is complete good, whoever is between', async () => {
    const between = certificate({ issuer: authority });
    const own = certificate({ host: HOST, issuer: between });
    const { certificate: found } = await examined({ ...own, cert: own.cert + between.cert });
    expect(found?.outcome).toBe('pass');
  });

  it('finds an app that is not served over HTTPS', async () => {
    const { https, certificate: found } = await examined(undefined, 'http');
    expect([https, found]).toMatchObject([
      { outcome: 'fail', seen: expect.stringMatching(/is not HTTPS$/) },
      { outcome: 'skip' },
    ]);
  });

  it('finds an app that answers HTTPS with something else', async () => {
    const { certificate: found } = await examined();
    expect(found).toMatchObject({ outcome: 'fail', seen: expect.stringMatching(/SSL|EPROTO/) });
  });
});
