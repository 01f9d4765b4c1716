import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import { HttpListener } from '../../../lib/dev-store/http/http-listener.js';
import type { LeakWatch } from './leak.watch.js';
import { observeCalls, observeConstruction } from './observe.js';

const REQUEST_START = 'http.server.request.start';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly server: Server;
}

/**
 * Watches HTTP: what comes in to an app and what it answers, as a server and with web requests, and
 * what the platform answers.
 */
export function observeWire(watch: LeakWatch): void {
  observeServers(watch);
  globalThis.URL = observeConstruction(URL, ([url]) => watch.secrets.learnFromCredentials(url));
  globalThis.Request = observeConstruction(Request, ([input, init]) =>
    learnFromRequest(watch, input, init as RequestInit | undefined),
  );
  globalThis.Response = observeConstruction(Response, ([body, init], file) => {
    const text = typeof body === 'string' ? body : '';
    if (!ANSWERS_FOR_APP.test(file())) return watch.secrets.learnFrom(text);
    watch.leaves('reply', text);
    for (const [name, value] of new Headers((init as ResponseInit | undefined)?.headers))
      watch.leaves(`reply header ${name}`, value);
  });
}

/** Whoever answers these plays the platform. */
const API = /^\/admin\/(?:api|oauth)\//;

/** Other responses are the tests' own, or replies of the platform on their way to the app. */
const ANSWERS_FOR_APP = /\/lib\/(?:core\/http|integrations)\//;

function learnFromRequest(
  { secrets }: LeakWatch,
  input: unknown,
  init: RequestInit | undefined,
): void {
  secrets.learnFrom(input instanceof Request ? input.url : String(input));
  if (init?.headers) secrets.learnFromHeaders(new Headers(init.headers));
  if (typeof init?.body === 'string') secrets.learnFrom(init.body);
}

function observeServers(watch: LeakWatch): void {
  const stores = new WeakSet<Server>();
  const open = HttpListener.open.bind(HttpListener);
  HttpListener.open = async (...args) => {
    const listener = await open(...args);
    stores.add(Reflect.get(listener, 'server') as Server);
    return listener;
  };
  const onRequest = (message: unknown): void => {
    const { request, response, server } = message as Exchange;
    watch.secrets.learnFrom(request.url ?? '');
    watch.secrets.learnFromHeaders(Object.entries(request.headers));
    if (stores.has(server) || API.test(request.url ?? ''))
      observeReply(response, (_, text) => watch.secrets.learnFrom(text));
    else observeReply(response, (part, text) => watch.leaves(part, text));
  };
  subscribe(REQUEST_START, onRequest);
  watch.atEnd(() => unsubscribe(REQUEST_START, onRequest));
}

/** A reply in the pieces it is written in. Node calls `writeHead` by itself when nobody did. */
function observeReply(response: ServerResponse, see: (part: string, text: string) => void): void {
  observeCalls(response, 'writeHead', (_, args) =>
    see('reply header', JSON.stringify([response.getHeaders(), ...args])),
  );
  for (const name of ['write', 'end'])
    observeCalls(response, name, (_, [chunk]) => {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array)
        see('reply', String(Buffer.from(chunk as Uint8Array)));
    });
}
