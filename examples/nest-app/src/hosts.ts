import type { Request as ExpressRequest, RequestHandler } from 'express';
import type { ExpressIntegration, RemixIntegration } from 'shopwright';

/**
 * The Express bundle, from the container of the Nest app: an ordinary middleware, then an ordinary
 * handler.
 */
export function expressShop(shopify: ExpressIntegration): RequestHandler[] {
  return [
    shopify.validateAuthenticatedSession(),
    async (_req, res) => {
      const client = new shopify.api.clients.Rest({ session: res.locals.shopify.session });
      const { body } = await client.get({ path: 'shop' });
      res.json(body);
    },
  ];
}

/**
 * The Remix object, from the same container, called as a loader calls it: a web `Request` in, a
 * `Response` out.
 */
export function remixShop(shopify: RemixIntegration): RequestHandler {
  const loader = async ({ request }: { request: Request }): Promise<Response> => {
    const { admin } = await shopify.authenticate.admin(request);
    const { body } = await admin.rest.get({ path: 'shop' });
    return Response.json(body);
  };
  return async (req, res) => {
    // Remix answers with whatever a loader returns or throws.
    const response = await loader({ request: webRequest(req) }).catch((thrown: unknown) => {
      if (thrown instanceof Response) return thrown;
      throw thrown;
    });
    res.status(response.status).setHeaders(response.headers);
    res.end(await response.text());
  };
}

function webRequest(req: ExpressRequest): Request {
  const headers = Object.entries(req.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(`http://${req.headers.host}${req.originalUrl}`, { headers });
}
