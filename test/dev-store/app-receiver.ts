import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request an app received. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * A listening app that keeps what it is sent and answers with the given statuses in turn, the last
 * one for ever.
 */
export interface AppReceiver {
  url: string;
  received: Received[];
  statuses: number[];
  close(): Promise<void>;
}

/** Opens an app that does nothing but receive. */
export async function openReceiver(): Promise<AppReceiver> {
  const received: Received[] = [];
  const statuses = [200];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      });
      response
        .writeHead((statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200)
        .end('received');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    statuses,
    close,
  };
}
