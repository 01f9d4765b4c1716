// The body of a reply, whichever kind of stream the `fetch` of an app gives it.
import { destroy, isNodeStream } from './http-transport.js';

/** The bytes of a body, to be read once. */
interface BodyReader {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Ends the transfer, and a wait for the next chunk; may be called at any time, repeatedly. */
  close(): void;
}

/** Opens the body of a reply for reading. */
export function readerOf(response: Response): BodyReader {
  const { body, bodyUsed } = response;
  // A `fetch` that logs what it receives may give back a text that it has read.
  if (bodyUsed) return readerOfText(response);
  if (isNodeStream(body)) return { chunks: body, close: () => destroy(body) };
  return typeof body?.getReader === 'function' ? readerOfWebStream(body) : readerOfText(response);
}

/** The text of a reply; `undefined` when it has more than `limit` bytes. */
export async function textWithin(response: Response, limit: number): Promise<string | undefined> {
  const { chunks, close } = readerOf(response);
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > limit) return undefined;
      text += decoder.decode(chunk, { stream: true });
    }
  } finally {
    close();
  }
  return text + decoder.decode();
}

function readerOfWebStream(body: ReadableStream<Uint8Array>): BodyReader {
  const reader = body.getReader();
  async function* chunks(): AsyncIterable<Uint8Array> {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      yield chunk.value;
  }
  const close = (): void => {
    reader.cancel().catch(() => {});
    reader.releaseLock();
  };
  return { chunks: chunks(), close };
}

/** Not every `fetch` gives its replies a body: their text is read as a whole. */
function readerOfText(response: Response): BodyReader {
  let close = (): void => {};
  const closed = new Promise<undefined>((resolve) => (close = () => resolve(undefined)));
  async function* chunks(): AsyncIterable<Uint8Array> {
    const text = await Promise.race([response.text(), closed]);
    if (text) yield new TextEncoder().encode(text);
  }
  return { chunks: chunks(), close };
}
