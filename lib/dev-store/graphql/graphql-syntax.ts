import type { DocumentNode, GraphQLError, Token } from 'graphql';
import type * as GraphQL from 'graphql';

/** The most tokens that a document may have. */
const MAX_TOKENS = 10_000;

/** Parses a document, or returns the platform's error about its syntax. */
export function parseDocument(
  graphql: typeof GraphQL,
  query: string,
): DocumentNode | { errors: readonly GraphQLError[] } {
  try {
    return graphql.parse(query, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (!(error instanceof graphql.GraphQLError)) throw error;
    return { errors: [syntaxError(graphql, query, error)] };
  }
}

/** Tokens by the names that the platform's parser gives them. */
const TOKENS: Readonly<Record<string, string>> = {
  '!': 'BANG',
  $: 'VAR_SIGN',
  '&': 'AMP',
  '(': 'LPAREN',
  ')': 'RPAREN',
  '...': 'ELLIPSIS',
  ':': 'COLON',
  '=': 'EQUALS',
  '@': 'DIR_SIGN',
  '[': 'LBRACKET',
  ']': 'RBRACKET',
  '{': 'LCURLY',
  '|': 'PIPE',
  '}': 'RCURLY',
  BlockString: 'STRING',
  Float: 'FLOAT',
  Int: 'INT',
  Name: 'IDENTIFIER',
  String: 'STRING',
};

function syntaxError(
  { GraphQLError, Lexer, Source, TokenKind }: typeof GraphQL,
  query: string,
  { message, positions }: GraphQLError,
): GraphQLError {
  const source = new Source(query);
  const refused = (text: string, position: number): GraphQLError =>
    new GraphQLError(text, {
      source,
      positions: [position],
      extensions: { code: 'PARSE_ERROR' },
    });
  const position = positions?.[0] ?? 0;
  if (message.includes('tokens')) return refused('This query is too large to execute.', position);
  const lexer = new Lexer(source);
  let last: Token | undefined;
  try {
    for (let token = lexer.advance(); ; token = lexer.advance()) {
      if (token.kind === TokenKind.EOF) {
        // The end is reported at the last token that there is.
        const at = last ?? { line: 1, column: 1, start: 0 };
        const where = last ? ` at [${at.line}, ${at.column}]` : '';
        return refused(`syntax error, unexpected end of file${where}`, at.start);
      }
      if (token.start >= position) {
        const text = query.slice(token.start, token.end);
        const name = `${TOKENS[token.kind] ?? token.kind} (${JSON.stringify(text)})`;
        return refused(
          `syntax error, unexpected ${name} at [${token.line}, ${token.column}]`,
          token.start,
        );
      }
      last = token;
    }
  } catch {
    const before = query.slice(0, position).split(/\r\n|[\n\r]/);
    const at = `[${before.length}, ${(before.at(-1)?.length ?? 0) + 1}]`;
    const text = JSON.stringify(query.slice(position, position + 1));
    return refused(`syntax error, unexpected invalid token (${text}) at ${at}`, position);
  }
}
