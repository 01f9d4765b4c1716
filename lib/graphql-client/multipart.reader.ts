/**
 * The boundary in a `multipart/mixed` content type. Without one it is `-`, the convention of
 * GraphQL servers.
 */
export function boundaryOf(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted || bare || '-';
}

/**
 * Yields the contents of the parts of a multipart body, without their headers, each as soon as the
 * delimiter after it has arrived. Skips the text before the first delimiter and after the closing
 * one, and a part that is cut off.
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<string, void, undefined> {
  const delimiter = `\n--${boundary}`;
  // A character may be split between two chunks: the decoder keeps its beginning.
  const decoder = new TextDecoder();
  // Text without a delimiter: joined once per part, not once per chunk.
  let searched: string[] = [];
  // The first delimiter needs no line break before it.
  let text = '\n';
  let isPreamble = true;
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true });
    for (;;) {
      if (!isPreamble && searched.length === 0 && text.startsWith('--')) return;
      const at = text.indexOf(delimiter);
      if (at < 0) break;
      searched.push(text.slice(0, at));
      const content = isPreamble ? '' : contentOf(searched.join(''));
      if (content) yield content;
      isPreamble = false;
      searched = [];
      text = text.slice(at + delimiter.length);
    }
    // The end is searched again: it may be the beginning of a delimiter.
    const end = text.length - delimiter.length + 1;
    if (end > 0) {
      searched.push(text.slice(0, end));
      text = text.slice(end);
    }
  }
}

/** The text after the empty line that ends the headers. */
function contentOf(part: string): string {
  const end = /\r?\n\r?\n/.exec(part);
  return end ? part.slice(end.index + end[0].length).trim() : '';
}
