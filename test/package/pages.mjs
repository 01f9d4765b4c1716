// The code in the documentation, to be used as it stands there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/install.mjs';

/**
 * The blocks of code of a page, in their order, each with the heading above it and the path of the
 * file that it is: of its first line, or the last one in the text above it.
 */
export function blocksOf(page) {
  const blocks = [];
  let heading = '';
  let above = '';
  let block;
  for (const line of readFileSync(join(ROOT, page), 'utf8').split('\n')) {
    if (block) {
      if (line !== '```') block.lines.push(line);
      else {
        blocks.push(finished(block));
        block = undefined;
        above = '';
      }
    } else if (line.startsWith('```'))
      block = { language: line.slice(3), heading, above, lines: [] };
    else if (/^#+ /.test(line)) heading = line;
    else above += `${line}\n`;
  }
  return blocks;
}

function finished({ language, heading, above, lines }) {
  const named = /^\/\/ ([\w./]+\.tsx?)(?:$|,)/.exec(lines[0])?.[1];
  const json = [...above.matchAll(/`([\w.-]+\.json)`/g)].at(-1)?.[1];
  return { language, heading, code: lines.join('\n'), path: language === 'json' ? json : named };
}

/** The blocks of a page below a heading, up to the next heading. */
export function blocksBelow(heading, page = 'README.md') {
  const below = blocksOf(page).filter((block) => block.heading === heading);
  if (below.length === 0) throw new Error(`${page} has no code below "${heading}"`);
  return below;
}

/** The code of those of a language. */
export function codeBlocks(heading, language, page) {
  return blocksBelow(heading, page)
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}
