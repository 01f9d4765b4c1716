import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { libFiles, lineOf, parse, readSource, walk } from './source-tree.js';

/** Lines with an `await` that runs while the module loads: `require()` of such a module fails. */
function topLevelAwaits(path: string, text: string): number[] {
  const lines: number[] = [];
  walk(parse(path, text), (node) => {
    if (ts.isFunctionLike(node)) return false;
    const waits =
      ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier !== undefined);
    if (waits) lines.push(lineOf(node));
    return true;
  });
  return lines;
}

/** Lines that read the machine's time with an argument-less `new Date()`, past the Clock port. */
function datesOfNow(path: string, text: string): number[] {
  const lines: number[] = [];
  walk(parse(path, text), (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
      lines.push(lineOf(node));
  });
  return lines;
}

/**
 * Names and literal texts in code (not in comments) that carry the vendor's name, with their lines.
 */
function vendorWords(path: string, text: string): string[] {
  const words: string[] = [];
  walk(parse(path, text), (node) => {
    const literal =
      ts.isStringLiteralLike(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddleOrTemplateTail(node) ||
      ts.isJsxText(node);
    if (!literal && !ts.isIdentifier(node) && node.kind !== ts.SyntaxKind.RegularExpressionLiteral)
      return;
    const word = literal ? node.text : node.getText();
    if (/shopify/i.test(word.replaceAll(ALIASES, '')) && !GIVEN.has(word))
      words.push(`${path}:${lineOf(node)} ${word}`);
  });
  return words;
}

/**
 * Names that users of the incumbent libraries bring with them, also where a message mentions them.
 */
const ALIASES =
  /\b(?:shopifyApp|ShopifyAdmin|ShopifyError|redirectToShopifyOrAppRoot|res\.locals\.shopify)\b/g;
/**
 * Whole words of the interface: the key below `res.locals`, a distribution, a webhook topic, a
 * field of payloads; and the package of which apps of Remix make their pages.
 */
const GIVEN = new Set([
  'shopify',
  'shopify_admin',
  'ORDERS_SHOPIFY_PROTECT_ELIGIBILITY_CHANGED',
  'myshopify_domain',
  '@shopify/polaris',
  '@shopify/polaris/locales/en.json',
]);
/**
 * The files that may spell the vendor's names out: the one list of ours, the store that must not
 * share it, the tables of the wire's own names, and the names that users bring with them.
 */
const spellsVendorOut = (path: string): boolean =>
  [
    /^lib\/core\/vendor\.ts$/,
    /^lib\/dev-store\//,
    /^lib\/rest-client\/resources\/(?:tables|generated)\//,
    /^lib\/integrations\/(?:api|express|remix|react-router)\/(?:index|type-names|wire-names)\.ts$/,
  ].some((pattern) => pattern.test(path));

describe('the sources of lib', () => {
  const files = libFiles().map((path) => ({ path, text: readSource(path) }));

  it('never wait at the top level of a module', () => {
    expect(
      files.flatMap(({ path, text }) =>
        topLevelAwaits(path, text).map((line) => `${path}:${line}`),
      ),
    ).toEqual([]);
  });

  it('read the time from the clock port only', () => {
    const others = files.filter(
      ({ path }) =>
        !/^lib\/core\/time\/(?:plain-)?clock\.ts$/.test(path) && !path.startsWith('lib/dev-store/'),
    );
    expect(
      others.flatMap(({ path, text }) => datesOfNow(path, text).map((line) => `${path}:${line}`)),
    ).toEqual([]);
  });

  it('name the vendor where its names are kept, and nowhere else', () => {
    expect(
      files
        .filter(({ path }) => !spellsVendorOut(path))
        .flatMap(({ path, text }) => vendorWords(path, text)),
    ).toEqual([]);
  });
});

describe('the checks themselves', () => {
  it('see an await outside a function and none inside', () => {
    const text =
      'const a = async () => await b;\nclass C { async m() { for await (const x of y); } }\nawait b;\nif (a) {\n  for await (const x of y);\n}';
    expect(topLevelAwaits('sample.ts', text)).toEqual([3, 5]);
  });

  it('see a date of now and pass a date of a given time', () => {
    expect(datesOfNow('sample.ts', 'new Date(0);\nnew Date();\nnew Date;\nnew Map();')).toEqual([
      2, 3,
    ]);
  });

  it('see the vendor in a name, a text, a template and an expression, but not in a comment or an alias', () => {
    const text = [
      '/** @see https://shopify.dev */ // Shopify',
      'const shopifyUrl = 1;',
      "header('X-Shopify-Topic');",
      '`${shop}.myshopify.com`;',
      '/myshopify/;',
      'export { platformApp as shopifyApp };',
      'res.locals.shopify;',
      "fail('redirectToShopifyOrAppRoot() needs a session');",
      "fail('redirectToShopifyOrAppRoot() needs Shopify');",
    ].join('\n');
    expect(vendorWords('sample.ts', text)).toEqual([
      'sample.ts:2 shopifyUrl',
      'sample.ts:3 X-Shopify-Topic',
      'sample.ts:4 .myshopify.com',
      'sample.ts:5 /myshopify/',
      'sample.ts:9 redirectToShopifyOrAppRoot() needs Shopify',
    ]);
  });
});
