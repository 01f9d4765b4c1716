import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/install.mjs';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The code blocks of a language below a heading of the README, up to the next heading. */
export function codeBlocks(heading, language) {
  const lines = README.split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`The README has no heading "${heading}"`);
  const blocks = [];
  let block;
  for (const line of lines.slice(start + 1)) {
    if (block) {
      if (line === '```') block = undefined;
      else block.push(line);
    } else if (/^#+ /.test(line)) break;
    else if (line.startsWith('```')) {
      block = [];
      if (line === `\`\`\`${language}`) blocks.push(block);
    }
  }
  return blocks.map((block) => block.join('\n'));
}
