import { describe, expect, it } from '@jest/globals';

import { runScript } from './scripts.js';

const NOTES = '### Added\n\n- A thing.';
const OLDER = '## [1.1.0] - 2026-01-01\n\n- Another.\n';

function check(tag: string, changelog: string, locked = '1.2.0') {
  return runScript('release-check.mjs', [tag], {
    'package.json': { version: '1.2.0' },
    'package-lock.json': { packages: { '': { version: locked } } },
    'CHANGELOG.md': `# Changelog\n\n${changelog}`,
  });
}

describe('npm run release:check', () => {
  it('prints what the changelog says of the version', () => {
    const changelog = `## [Unreleased]\n\n## [1.2.0] - 2026-02-03\n\n${NOTES}\n\n${OLDER}`;
    expect(check('v1.2.0', changelog)).toEqual({ status: 0, stdout: `${NOTES}\n`, stderr: '' });
  });

  it.each([
    [
      'a tag of another version',
      'v1.3.0',
      `## [1.2.0] - 2026-02-03\n\n${NOTES}\n`,
      'The tag is v1.3.0',
    ],
    [
      'a tag without its letter',
      '1.2.0',
      `## [1.2.0] - 2026-02-03\n\n${NOTES}\n`,
      'The tag is 1.2.0',
    ],
    ['no tag', '', `## [1.2.0] - 2026-02-03\n\n${NOTES}\n`, 'The tag is missing'],
    ['a version that the changelog lacks', 'v1.2.0', OLDER, 'has no section [1.2.0]'],
    ['a version without a date', 'v1.2.0', `## [1.2.0]\n\n${NOTES}\n`, 'has no date'],
    ['a version without changes', 'v1.2.0', `## [1.2.0] - 2026-02-03\n\n${OLDER}`, 'is empty'],
    [
      'changes under no version',
      'v1.2.0',
      `## [Unreleased]\n\n- B.\n\n## [1.2.0] - 2026-02-03\n\n${NOTES}\n`,
      'under [Unreleased]',
    ],
  ])('refuses %s', (_what, tag, changelog, problem) => {
    expect(check(tag, changelog)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(problem),
    });
  });

  it('refuses a lock file of another version', () => {
    expect(check('v1.2.0', `## [1.2.0] - 2026-02-03\n\n${NOTES}\n`, '1.1.0').stderr).toContain(
      'package-lock.json has the version 1.1.0',
    );
  });
});
