// Says whether the sources of the current folder are those of a release:
// `npm run release:check -- v1.2.3`. Prints the release's part of the changelog.
import { readFileSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const changelog = sections(readFileSync('CHANGELOG.md', 'utf8'));
const release = changelog.find(({ title }) => title.startsWith(`[${version}]`));

const problems = [
  tag !== `v${version}` &&
    `The tag is ${tag || 'missing'}, and package.json has the version ${version}.`,
  lock.packages[''].version !== version &&
    `package-lock.json has the version ${lock.packages[''].version}: run npm install.`,
  !release &&
    `CHANGELOG.md has no section [${version}]: add "## [${version}] - 2026-01-31", with the day of the release.`,
  release &&
    !/\] - \d{4}-\d{2}-\d{2}$/.test(release.title) &&
    `The section [${version}] of CHANGELOG.md has no date, such as "- 2026-01-31".`,
  release?.text === '' && `The section [${version}] of CHANGELOG.md is empty.`,
  changelog.some(({ title, text }) => title === '[Unreleased]' && text !== '') &&
    'CHANGELOG.md lists changes under [Unreleased], and the tag releases them: move them.',
].filter(Boolean);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(release.text);

/** The second-level headings of a page, and what stands below each. */
function sections(text) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title, ...lines] = section.split(/\r?\n/);
      return { title: title.trim(), text: lines.join('\n').trim() };
    });
}
