/** The bytes of a reply, in whatever pieces they arrive. */
export type Chunks = AsyncIterable<Uint8Array>;

/** The boundary a `multipart/mixed` content type names; `-`, as GraphQL servers agree on, when it names none. */
export function boundaryOf(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted || bare || '-';
}

/**
 * The contents of the parts of a multipart body, without their headers, each as soon as the delimiter behind it has arrived. What stands
 * before the first delimiter or behind the closing one is left out, and so is a part the connection cut off.
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 */
export async function* readParts(chunks: Chunks, boundary: string): AsyncGenerator<string, void, undefined> {
  const delimiter = `\n--${boundary}`;
  // A character may be split between two chunks: the decoder keeps its beginning.
  const decoder = new TextDecoder();
  // The first delimiter needs no line break before it.
  let buffer = '\n';
  let scanned = 0;
  let isPreamble = true;
  for await (const chunk of chunks) {
    buffer += decoder.decode(chunk, { stream: true });
    for (let at = buffer.indexOf(delimiter, scanned); at >= 0; at = buffer.indexOf(delimiter)) {
      if (!isPreamble) {
        if (buffer.startsWith('--')) return;
        const content = contentOf(buffer.slice(0, at));
        if (content) yield content;
      }
      isPreamble = false;
      buffer = buffer.slice(at + delimiter.length);
    }
    if (!isPreamble && buffer.startsWith('--')) return;
    // Not twice over the same text, but for what may be the beginning of a delimiter.
    scanned = Math.max(0, buffer.length - delimiter.length + 1);
  }
}

/** What stands behind the empty line that ends the headers. */
function contentOf(part: string): string {
  const end = /\r?\n\r?\n/.exec(part);
  return end ? part.slice(end.index + end[0].length).trim() : '';
}
