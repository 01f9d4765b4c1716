import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { jsonReply, type ByteStream, type StoreReply, type StoreRequest } from './store-request.js';

/** The handler of a port. */
export interface Answerer {
  answer(request: StoreRequest): Promise<StoreReply>;
  /** The size limit of request bodies for a path, in bytes. */
  bodyLimit(path: string): number;
}

/** One HTTP port on this machine's loopback interface. */
export class HttpListener {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** Listens on `localhost`. @param port 0 for a free one */
  static async open(port: number, answerer: Answerer): Promise<HttpListener> {
    const server = createServer((message, response) => {
      // A request that is aborted, or a response that cannot be written, ends its connection and
      // never the process.
      respond(message, response, answerer).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, 'localhost', resolve);
    });
    return new HttpListener(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}

async function respond(
  message: IncomingMessage,
  response: ServerResponse,
  answerer: Answerer,
): Promise<void> {
  const { status, headers, body = '', breaks } = await replyTo(message, answerer);
  if (response.destroyed) return;
  if (breaks === 'before') return void message.socket.resetAndDestroy();
  const known = isStream(body) ? {} : { 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { 'X-Content-Type-Options': 'nosniff', ...headers, ...known });
  if (message.method === 'HEAD') response.end();
  else if (isStream(body)) await pipeline(Readable.from(breaks ? firstOf(body) : body), response);
  else if (breaks) sendHalf(response, Buffer.from(body));
  else response.end(body);
}

function isStream(body: NonNullable<StoreReply['body']>): body is ByteStream {
  return typeof body === 'object' && !(body instanceof Uint8Array);
}

/** Announces the whole body, and ends the connection after half of it. */
function sendHalf(response: ServerResponse, body: Buffer): void {
  // A body of one byte at most has no half: the headers go alone.
  const half = body.subarray(0, body.length / 2);
  response.flushHeaders();
  if (half.length > 0) response.write(half, () => response.destroy());
  else setImmediate(() => response.destroy());
}

/** The first chunk of a stream, and then its failure. */
async function* firstOf(body: ByteStream): AsyncGenerator<string | Uint8Array> {
  for await (const chunk of body) {
    yield chunk;
    throw new Error('The connection is ended on command.');
  }
}

async function replyTo(message: IncomingMessage, answerer: Answerer): Promise<StoreReply> {
  const address = `http://localhost${message.url}`;
  if (!message.url?.startsWith('/') || !URL.canParse(address))
    return jsonReply(400, { errors: 'Bad Request' });
  const url = new URL(address);
  const limit = answerer.bodyLimit(url.pathname);
  const body = await readBody(message, limit);
  if (!body) return jsonReply(413, { errors: `The request body is larger than ${limit} bytes` });
  return answerer.answer({
    method: message.method ?? 'GET',
    url,
    headers: { [Symbol.iterator]: () => rawPairs(message.rawHeaders) },
    header: (name) => [message.headers[name.toLowerCase()]].flat()[0],
    body,
  });
}

/** Node's flat list of names and values, in pairs. */
function* rawPairs(raw: readonly string[]): Generator<readonly [string, string]> {
  for (let index = 0; index < raw.length; index += 2)
    yield [raw[index] ?? '', raw[index + 1] ?? ''];
}

/**
 * The body's bytes; undefined when there are too many. The rest is read and discarded, so that the
 * client receives the response.
 */
async function readBody(message: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= limit ? Buffer.concat(chunks) : undefined;
}
