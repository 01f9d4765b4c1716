import type { LoaderFunctionArgs } from '@remix-run/node';

import { authenticate } from '../shopify.server';

export async function loader({ request }: LoaderFunctionArgs) {
  await authenticate.admin(request);
  return null;
}
