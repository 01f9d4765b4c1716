import { Link } from 'react-router';

import { authenticate } from '../shopify.server';
import type { Route } from './+types/shop';

export async function loader({ request }: Route.LoaderArgs) {
  const { admin, session } = await authenticate.admin(request);
  const { data } = await admin.graphql<{ shop: { name: string } }>('query Shop { shop { name } }');
  return { name: data.shop.name, domain: session.shop };
}

export default function Shop({ loaderData: { name, domain } }: Route.ComponentProps) {
  return (
    <s-page heading="Shop">
      <s-section>
        <s-paragraph>{`${name}, ${domain}`}</s-paragraph>
        <Link to="/app">Back to the products</Link>
      </s-section>
    </s-page>
  );
}
