import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonReply, type StoreReply, type StoreRequest } from './store-request.js';

/** Answers one request. */
export type Answer = (request: StoreRequest) => Promise<StoreReply>;

const BODY_LIMIT = 1024 * 1024;

/** One HTTP port on this machine's loopback interface. */
export class HttpListener {
  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  /** Listens on `localhost`. @param port 0 for any free one */
  static async open(port: number, answer: Answer): Promise<HttpListener> {
    const server = createServer((message, response) => {
      // A request that breaks off, or a reply that cannot be written, ends its connection and never the process.
      respond(message, response, answer).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, 'localhost', resolve);
    });
    return new HttpListener(server, `http://localhost:${(server.address() as AddressInfo).port}`);
  }

  /** Stops listening and ends every connection. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}

async function respond(message: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const reply = await replyTo(message, answer);
  const body = Buffer.from(reply.body ?? '');
  if (response.destroyed) return;
  response.writeHead(reply.status, { 'X-Content-Type-Options': 'nosniff', ...reply.headers, 'Content-Length': body.length });
  response.end(message.method === 'HEAD' ? undefined : body);
}

async function replyTo(message: IncomingMessage, answer: Answer): Promise<StoreReply> {
  const address = `http://localhost${message.url}`;
  if (!message.url?.startsWith('/') || !URL.canParse(address)) return jsonReply(400, { errors: 'Bad Request' });
  const body = await readBody(message);
  if (!body) return jsonReply(413, { errors: `The request body is larger than ${BODY_LIMIT} bytes` });
  return answer({
    method: message.method ?? 'GET',
    url: new URL(address),
    header: (name) => [message.headers[name.toLowerCase()]].flat()[0],
    body,
  });
}

/** The body's bytes; undefined when there are too many. What is too much is read and forgotten, so that the sender gets to see the answer. */
async function readBody(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size <= BODY_LIMIT ? Buffer.concat(chunks) : undefined;
}
