import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

import { userAgent } from '../../lib/core/http/api-request.js';
import { VERSION } from '../../lib/core/version.js';

describe('the version', () => {
  it('is the one of the package', () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as { version: string };
    expect(VERSION).toBe(manifest.version);
  });

  it('is part of what the toolkit calls itself', () => {
    expect(userAgent({})).toBe(`shopwright/${VERSION} | Node ${process.version}`);
    expect(userAgent({ userAgentPrefix: 'App' })).toBe(
      `App | shopwright/${VERSION} | Node ${process.version}`,
    );
  });
});
