// `node scripts/error-codes.mjs`: writes docs/errors.md, the page of error codes, from the classes of
// lib and their docstrings. `npm test` fails when it is not up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = join(ROOT, 'docs/errors.md');

const INTRODUCTION = `# Error codes

Every error of the toolkit extends \`PlatformError\` and has a \`code\`, which is stable: new ones are added, and none changes its meaning. The \`message\` says what failed, on which value, and what to do; \`cause\` has the error behind it. No message holds a secret. \`error.code\` tells errors apart where \`instanceof\` cannot, such as across two copies of the package. What one sees in production, and where it comes from, is in [troubleshooting](operations.md#troubleshooting).

`;

/** The error classes of lib: those that give `code` a value of their own. */
export function errorClasses(root = ROOT) {
  return readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .flatMap((path) => classesIn(readFileSync(join(root, 'lib', path), 'utf8'), path))
    .sort((one, other) => (one.code < other.code ? -1 : 1));
}

/** The error classes in the text of a source file. */
export function classesIn(text, path = 'sample.ts') {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found = [];
  const visit = (node) => {
    if (ts.isClassDeclaration(node)) {
      const code = node.members.find(
        (member) =>
          ts.isPropertyDeclaration(member) &&
          member.name.getText() === 'code' &&
          member.initializer !== undefined &&
          ts.isStringLiteral(member.initializer),
      );
      if (code)
        found.push({
          code: code.initializer.text,
          name: node.name.text,
          meaning: meaningOf(node),
          remedy: remedyOf(node),
        });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The docstring of a class up to its first tag, in one line. */
function meaningOf(node) {
  const text = ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join(' ');
  return inOneLine(text);
}

/** What its tag `@remedy` says, in one line. */
function remedyOf(node) {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'remedy');
  return inOneLine(ts.getTextOfJSDocComment(tag?.comment) ?? '');
}

function inOneLine(text) {
  return text
    .replace(/\{@link ([\w.]+)\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The whole page. */
export async function errorPage() {
  const rows = errorClasses().map(
    ({ code, name, meaning, remedy }) =>
      `## ${code}\n\n\`${name}\`: ${meaning}\n\n**What to do:** ${remedy}`,
  );
  const options = await resolveConfig(PAGE);
  return format(`${INTRODUCTION}${rows.join('\n\n')}\n`, { ...options, parser: 'markdown' });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PAGE, await errorPage());
