import { parsedJson } from '../base/typed-values.js';
import type { StoreRequest } from './store-request.js';

/**
 * The names that a GraphQL request goes by: that of its operation, if it has one, and those of the
 * fields its operations begin with. Empty for any other request. Nothing is checked: a document
 * with mistakes has the names that can be told.
 */
export function graphqlNames({ url, body }: StoreRequest): string[] {
  if (!url.pathname.endsWith('/graphql.json')) return [];
  const { query, operationName } = Object(parsedJson(body.toString())) as Record<string, unknown>;
  const names = typeof query === 'string' ? namesIn(query) : [];
  return typeof operationName === 'string' && operationName !== ''
    ? [operationName, ...names]
    : names;
}

/** Strings and comments, which may hold anything, then names, spreads and marks. */
const TOKEN = /"""[^]*?"""|"(?:[^"\\\n]|\\[^\n])*"|#[^\n]*|\.\.\.|[A-Za-z_]\w*|[{}()[\]:@$]/g;
const OPERATIONS = new Set(['query', 'mutation', 'subscription']);

function namesIn(document: string): string[] {
  const names: string[] = [];
  const tokens = document.match(TOKEN) ?? [];
  let [depth, parentheses, inFragment] = [0, 0, false];
  tokens.forEach((token, index) => {
    const [before, after] = [tokens[index - 1] ?? '', tokens[index + 1] ?? ''];
    if (token === '{' && parentheses === 0) depth++;
    else if (token === '}' && parentheses === 0) depth--;
    else if (token === '(') parentheses++;
    else if (token === ')') parentheses--;
    else if (parentheses === 0 && /^[A-Za-z_]/.test(token)) {
      if (depth === 0) {
        if (token === 'fragment' || OPERATIONS.has(token)) inFragment = token === 'fragment';
        if (OPERATIONS.has(before)) names.push(token);
      }
      // Neither an alias, nor a directive, nor what is spread.
      const isField = after !== ':' && before !== '@' && before !== '...' && before !== 'on';
      if (depth === 1 && !inFragment && isField) names.push(token);
    }
  });
  return names;
}
