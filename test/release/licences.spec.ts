import { describe, expect, it } from '@jest/globals';

import { runScript } from './scripts.js';

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

function check(packages: Record<string, Locked>) {
  return runScript('licences.mjs', [], { 'package-lock.json': { packages } });
}

/** A project that needs one package, of the given licence. */
const needing = (license?: string): Record<string, Locked> => ({
  '': { dependencies: { a: '^1.0.0' } },
  'node_modules/a': { version: '1.0.0', ...(license !== undefined && { license }) },
});

describe('npm run licences', () => {
  it.each(['MIT', 'ISC', '(MIT OR GPL-3.0-only)', 'GPL-3.0-only OR (MIT AND Apache-2.0)'])(
    'passes %s',
    (license) => {
      expect(check(needing(license))).toMatchObject({ status: 0, stderr: '' });
    },
  );

  it.each([
    'GPL-3.0-only',
    'MIT AND GPL-3.0-only',
    '(MIT OR',
    'MIT OR',
    'MIT Apache-2.0',
    'SEE LICENSE IN LICENSE',
    '',
  ])('fails on %j and names the package', (license) => {
    const { status, stderr } = check(needing(license));
    expect(status).toBe(1);
    expect(stderr).toContain(`a@1.0.0 is licensed under ${license}`);
  });

  it('fails on a package without a licence', () => {
    expect(check(needing()).stderr).toContain('a@1.0.0 is licensed under none');
  });

  it('looks at peers and at what comes with a package, where Node finds it, and not at what developers install', () => {
    const { status, stderr } = check({
      '': {
        dependencies: { a: '1' },
        peerDependencies: { '@scope/peer': '1' },
        devDependencies: { tool: '1' },
      },
      'node_modules/a': {
        version: '1.0.0',
        license: 'MIT',
        dependencies: { b: '2' },
        optionalDependencies: { elsewhere: '1' },
      },
      'node_modules/a/node_modules/b': {
        version: '2.0.0',
        license: 'GPL-3.0-only',
        dependencies: { c: '1' },
      },
      'node_modules/b': { version: '1.0.0', license: 'GPL-1.0-only' },
      'node_modules/c': { version: '1.0.0', license: 'AGPL-3.0-only' },
      'node_modules/tool': { version: '1.0.0', license: 'GPL-2.0-only' },
      'node_modules/@scope/peer': { version: '1.0.0', license: 'BUSL-1.1' },
    });
    expect(status).toBe(1);
    expect(stderr.match(/^\S+@\S+ is licensed under \S+$/gm)).toEqual([
      '@scope/peer@1.0.0 is licensed under BUSL-1.1',
      'b@2.0.0 is licensed under GPL-3.0-only',
      'c@1.0.0 is licensed under AGPL-3.0-only',
    ]);
  });

  it('looks at a package that the build joins into our files, though apps do not install it', () => {
    const { stderr } = check({
      '': { devDependencies: { valibot: '1' } },
      'node_modules/valibot': { version: '1.0.0', license: 'GPL-3.0-only' },
    });
    expect(stderr).toContain('valibot@1.0.0 is licensed under GPL-3.0-only');
  });

  it('fails when the lock file lacks a package', () => {
    const { status, stderr } = check({ '': { dependencies: { a: '1' } } });
    expect([status, stderr]).toEqual([1, expect.stringContaining('package-lock.json has no a')]);
  });
});
