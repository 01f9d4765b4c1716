import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { BlockStack, Button, Card, List, Page, Text } from '@shopify/polaris';

import { authenticate } from '../shopify.server';

interface Products {
  products: { nodes: { id: string; title: string }[] };
}

interface ProductCreate {
  productCreate: {
    product: { id: string; title: string; variants: { nodes: { id: string }[] } } | null;
    userErrors: { message: string }[];
  };
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { admin } = await authenticate.admin(request);
  const { data } = await admin.graphql<Products>(
    `query Products { products(first: 50) { nodes { id title } } }`,
  );
  return { products: data.products.nodes };
}

export async function action({ request }: ActionFunctionArgs) {
  const { admin } = await authenticate.admin(request);
  const title = String((await request.formData()).get('title') || 'Untitled');
  const { data } = await admin.graphql<ProductCreate>(
    `mutation CreateProduct($product: ProductCreateInput!) {
      productCreate(product: $product) {
        product { id title variants(first: 1) { nodes { id } } }
        userErrors { message }
      }
    }`,
    { variables: { product: { title } } },
  );
  const { product, userErrors } = data.productCreate;
  return { product, problem: userErrors[0]?.message };
}

export default function Products() {
  const { products } = useLoaderData<typeof loader>();
  const fetcher = useFetcher<typeof action>();
  const { product, problem } = fetcher.data ?? {};
  return (
    <Page title="Products">
      <BlockStack gap="400">
        <Card>
          <fetcher.Form method="post">
            <BlockStack gap="200" inlineAlign="start">
              <label>
                Title <input name="title" required />
              </label>
              <Button submit variant="primary" loading={fetcher.state !== 'idle'}>
                Create product
              </Button>
              {product && <Text as="p">{`Created: ${product.title}`}</Text>}
              {problem && (
                <Text as="p" tone="critical">
                  {problem}
                </Text>
              )}
            </BlockStack>
          </fetcher.Form>
        </Card>
        <Card>
          <List>
            {products.map(({ id, title }) => (
              <List.Item key={id}>{title}</List.Item>
            ))}
          </List>
        </Card>
      </BlockStack>
    </Page>
  );
}
