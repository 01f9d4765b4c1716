// What the platform signs besides webhooks, verified with the library's own helpers: requests of an
// app proxy, and actions of Flow.
import express from 'express';

/** @param app an Express app @param api the library object */
export function signedRoutes(app, api) {
  app.get('/proxy/:path', async (request, response) => {
    const options = { signator: 'appProxy' };
    const isValid = await api.utils.validateHmac(request.query, options).catch(() => false);
    if (!isValid) return void response.status(400).end();
    const { shop, page } = request.query;
    response.json({ shop, page });
  });
  app.post('/flow', express.text({ type: '*/*' }), async (request, response) => {
    const { body: rawBody } = request;
    const raw = { rawBody, rawRequest: request, rawResponse: response };
    const { valid } = await api.flow.validate(raw);
    if (!valid) return void response.status(400).end();
    response.json(JSON.parse(rawBody).properties);
  });
}

/** What the storefront sells, with the library's own client. */
export const storefrontCall = (api, session) => async () => {
  const client = new api.clients.Storefront({ session });
  const { data } = await client.request(SOLD);
  return data.products.nodes;
};

export const SOLD = `query Sold { products(first: 2) { nodes { title } } }`;
