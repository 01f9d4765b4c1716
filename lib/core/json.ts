/**
 * A value without a type of its own, such as a reply or a payload. As in the platform's own
 * libraries it needs no cast, so that code migrates unchanged. To have it checked, name a type or
 * register the operation.
 */
export type Untyped = any;

/** True for a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a list of texts. */
export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** The value of the only member, such as the result of the one mutation in a reply. */
export function onlyValue<T>(record: Readonly<Record<string, T>> | undefined): T | undefined {
  return record && Object.values(record)[0];
}

/**
 * Parses the body of a request, without the byte-order mark that it may begin with.
 * @throws {SyntaxError} whose message quotes the body
 */
export function parseJson(body: string): unknown {
  return JSON.parse(body.replace(/^\uFEFF/, ''));
}

/**
 * The nodes of a page of a connection, whichever way it lists them; none without a page. The tests
 * of apps answer with pages as other libraries ask for them.
 */
export function nodesOf<TNode>(
  page:
    | {
        readonly nodes?: readonly TNode[] | undefined;
        readonly edges?: readonly { readonly node: TNode }[] | undefined;
      }
    | undefined,
): readonly TNode[] {
  return page?.nodes ?? page?.edges?.map(({ node }) => node) ?? [];
}

/** Parses the body of a reply. Returns text that is not JSON as it is, and `undefined` for none. */
export function parsedBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
