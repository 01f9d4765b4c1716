import { PassThrough } from 'node:stream';

import { createReadableStreamFromReadable } from '@react-router/node';
import { isbot } from 'isbot';
import { renderToPipeableStream } from 'react-dom/server';
import type { EntryContext } from 'react-router';
import { ServerRouter } from 'react-router';

import { addDocumentResponseHeaders } from './shopify.server';

/** In milliseconds. */
const RENDERED_WITHIN = 5_000;

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  addDocumentResponseHeaders(request, headers);
  headers.set('content-type', 'text/html');
  // Crawlers wait for the whole page, browsers take it as it comes.
  const whole = isbot(request.headers.get('user-agent') ?? '');
  return new Promise((resolve, reject) => {
    let begun = false;
    const begin = () => {
      begun = true;
      const body = new PassThrough();
      resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
      pipe(body);
    };
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={context} url={request.url} />,
      {
        ...(whole ? { onAllReady: begin } : { onShellReady: begin }),
        onShellError: reject,
        onError(error) {
          status = 500;
          // An error of the shell is reported by whoever is rejected.
          if (begun) console.error(error);
        },
      },
    );
    setTimeout(abort, RENDERED_WITHIN + 1_000).unref();
  });
}
