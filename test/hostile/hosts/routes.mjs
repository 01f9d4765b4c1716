import { createServer } from 'node:http';
import { Readable } from 'node:stream';

import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';

import { WebhookContext, WebhookHandler } from '../../../dist/index.js';
import { platformApp as reactRouterApp } from '../../../dist/integrations/react-router/index.js';
import { platformApp as remixApp } from '../../../dist/integrations/remix/index.js';
import { OPTIONS, SIGNED_HANDLERS, note, proxied } from './app.mjs';

class Handlers {
  async onPaid({ topic, shop }) {
    note('handled', { topic, shop });
  }
}
Injectable()(Handlers);
WebhookContext()(Handlers.prototype, 'onPaid', 0);
WebhookHandler('ORDERS_PAID', { callbackUrl: '/hooks/paid' })(
  Handlers.prototype,
  'onPaid',
  Object.getOwnPropertyDescriptor(Handlers.prototype, 'onPaid'),
);
class AppModule {}
Module({ providers: [Handlers] })(AppModule);

export const openRemix = () => open(remixApp);

export const openReactRouter = () => open(reactRouterApp);

/**
 * The object of a host of web requests behind a server of Node, as the adapters of Remix and React
 * Router put it: streams in, responses out.
 */
async function open(platformApp) {
  const shopify = platformApp({ ...OPTIONS, webhooks: SIGNED_HANDLERS, modules: [AppModule] });
  await shopify.ready();
  const route = async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/webhooks') {
      const { topic, shop } = await shopify.authenticate.webhook(request);
      if (topic !== 'APP_UNINSTALLED') note('handled', { topic, shop });
      return new Response();
    }
    if (pathname.startsWith('/hooks'))
      return (await shopify.handle(request)) ?? new Response(null, { status: 404 });
    if (pathname === '/auth/login') return Response.json(await shopify.login(request));
    if (pathname === '/proxy')
      return new Response(null, { status: (await proxied(shopify.api, searchParams)) ? 200 : 400 });
    if (pathname === '/apps') {
      const { session } = await shopify.authenticate.public.appProxy(request);
      note('proxied', { shop: session?.shop });
      return new Response('below');
    }
    if (pathname === '/checkout') {
      const { sessionToken, cors } = await shopify.authenticate.public.checkout(request);
      note('extended', { shop: sessionToken.dest.replace('https://', '') });
      return cors(Response.json({}));
    }
    if (pathname === '/flow') {
      const { session } = await shopify.authenticate.flow(request);
      note('flowed', { shop: session.shop });
      return Response.json({});
    }
    if (pathname !== '/page' && pathname !== '/pro' && !pathname.startsWith('/auth'))
      return (await shopify.handle(request)) ?? new Response(null, { status: 404 });
    const { session, billing } = await shopify.authenticate.admin(request);
    if (pathname === '/pro') {
      await billing.require({ plans: ['Pro'] });
      note('paid');
      return Response.json({});
    }
    note('granted', { shop: session.shop });
    const headers = new Headers();
    shopify.addDocumentResponseHeaders(request, headers);
    return Response.json({ shop: session.shop }, { headers });
  };
  return createServer((req, res) => {
    void answer(route, req, res).catch(() => res.destroy());
  });
}

async function answer(route, req, res) {
  const request = webRequest(req);
  const response = request
    ? await route(request).catch((thrown) => (thrown instanceof Response ? thrown : failed(thrown)))
    : new Response('The request is none of the web.', { status: 400 });
  res.statusCode = response.status;
  res.setHeaders(response.headers);
  if (response.headers.getSetCookie().length > 0)
    res.setHeader('set-cookie', response.headers.getSetCookie());
  res.end(Buffer.from(await response.arrayBuffer()));
}

function failed(error) {
  // A body that ends before its time is nobody's failure.
  if (/aborted|terminated|FormData|ECONNRESET/i.test(String(error)))
    return new Response(null, { status: 400 });
  note('handler error', { message: String(error?.stack ?? error) });
  return new Response(null, { status: 500 });
}

function webRequest(req) {
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(req.headers))
      for (const one of [value].flat()) headers.append(name, one);
    const hasBody = req.method !== 'GET' && req.method !== 'HEAD';
    return new Request(`http://app.example.com${req.url}`, {
      method: req.method,
      headers,
      ...(hasBody && { body: Readable.toWeb(req), duplex: 'half' }),
    });
  } catch {
    return undefined;
  }
}
