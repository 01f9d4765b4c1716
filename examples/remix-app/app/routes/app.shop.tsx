import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Card, Link, Page, Text } from '@shopify/polaris';

import { authenticate } from '../shopify.server';

export async function loader({ request }: LoaderFunctionArgs) {
  const { admin, session } = await authenticate.admin(request);
  const { data } = await admin.graphql<{ shop: { name: string } }>('query Shop { shop { name } }');
  return { name: data.shop.name, domain: session.shop };
}

export default function Shop() {
  const { name, domain } = useLoaderData<typeof loader>();
  return (
    <Page title="Shop">
      <Card>
        <Text as="p">{`${name}, ${domain}`}</Text>
        <Link url="/app">Back to the products</Link>
      </Card>
    </Page>
  );
}
