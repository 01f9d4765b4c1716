import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer {
  readonly url: string;
  /** Headers of the requests that came, in order. */
  readonly requests: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/**
 * A server that answers every request with what the test says; the number of the request counts
 * from 1.
 */
export async function openFileServer(
  answer: (req: IncomingMessage, res: ServerResponse, number: number) => void,
): Promise<FileServer> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer((req, res) => {
    requests.push(req.headers);
    answer(req, res, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/result.jsonl?signature=abc`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
