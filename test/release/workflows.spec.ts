import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readSource, ROOT } from '../architecture/source-tree.js';

const FOLDER = '.github/workflows';
const { scripts } = JSON.parse(readSource('package.json')) as { scripts: Record<string, string> };
const workflows = readdirSync(join(ROOT, FOLDER)).map((file) => ({
  file,
  text: readSource(`${FOLDER}/${file}`),
}));

/**
 * What a workflow `uses:` that is neither its own repository's nor named by a commit, with the
 * version beside it.
 */
const unpinned = (text: string): string[] =>
  [...text.matchAll(/\buses: *(.+)$/gm)]
    .map(([, used = '']) => used)
    .filter(
      (used) => !used.startsWith('./') && !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used),
    );

/** The jobs of a workflow, by name, as text. */
const jobsOf = (text: string): Map<string, string> =>
  new Map(
    text
      .slice(text.indexOf('\njobs:\n'))
      .split(/^ {2}(?=[\w-]+:$)/m)
      .slice(1)
      .map((job) => [job.slice(0, job.indexOf(':')), job]),
  );

describe('the workflows', () => {
  it.each(workflows)('name every action by its commit: $file', ({ text }) => {
    expect(unpinned(text)).toEqual([]);
  });

  it.each(workflows)('run scripts that exist: $file', ({ text }) => {
    const named = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(
      ([, script]) => script!,
    );
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it.each(workflows)('grant nothing but reading to a whole workflow: $file', ({ text }) => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)\n\n/m);
  });

  it('may publish in one job alone, which runs no code of ours or of our dependencies', () => {
    const jobs = workflows
      .flatMap(({ text }) => [...jobsOf(text)])
      .filter(([, job]) => job.includes('id-token: write'));
    expect(jobs.map(([name]) => name)).toEqual(['publish']);
    expect(jobs[0]![1]).not.toMatch(/actions\/checkout|npm (?:ci|install|run|test)|npx|node /);
  });
});

describe('unpinned', () => {
  it('sees a tag, a branch and a commit without its version', () => {
    const commit = 'de0fac2e4500dabe0009e67214ff5f5447ce83dd';
    const used = ['a/b@v6', 'a/b@main', `a/b@${commit}`];
    const fine = ['./.github/workflows/ci.yml', `a/b/c@${commit} # v6.0.2`];
    expect(unpinned([...used, ...fine].map((name) => `  - uses: ${name}\n`).join(''))).toEqual(
      used,
    );
  });
});
