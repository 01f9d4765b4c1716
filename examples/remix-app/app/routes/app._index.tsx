import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { useFetcher, useLoaderData } from '@remix-run/react';
import { BlockStack, Button, Card, List, Page, Text } from '@shopify/polaris';

import { authenticate } from '../shopify.server';

interface Products {
  products: {
    nodes: { id: string; title: string; variants: { nodes: { price: string }[] } }[];
  };
}

interface ProductCreate {
  productCreate: {
    product: { id: string; title: string; variants: { nodes: { id: string }[] } } | null;
    userErrors: { message: string }[];
  };
}

interface VariantsUpdate {
  productVariantsBulkUpdate: {
    productVariants: { id: string; price: string }[] | null;
    userErrors: { message: string }[];
  };
}

export async function loader({ request }: LoaderFunctionArgs) {
  const { admin } = await authenticate.admin(request);
  const { data } = await admin.graphql<Products>(
    `query Products {
      products(first: 50) { nodes { id title variants(first: 1) { nodes { price } } } }
    }`,
  );
  return {
    products: data.products.nodes.map(({ id, title, variants }) => ({
      id,
      name: `${title}, ${variants.nodes[0]?.price}`,
    })),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const { admin } = await authenticate.admin(request);
  const form = await request.formData();
  const creation = await admin.graphql<ProductCreate>(
    `mutation CreateProduct($product: ProductCreateInput!) {
      productCreate(product: $product) {
        product { id title variants(first: 1) { nodes { id } } }
        userErrors { message }
      }
    }`,
    { variables: { product: { title: String(form.get('title') || 'Untitled') } } },
  );
  const { product, userErrors } = creation.data.productCreate;
  if (!product) return { created: null, problem: userErrors[0]?.message ?? null };
  // The price is not the product's: it has one variant, which is updated.
  const price = String(form.get('price') || '20.00');
  const variants = [{ id: product.variants.nodes[0]?.id, price }];
  const update = await admin.graphql<VariantsUpdate>(
    `mutation PriceVariants($productId: ID!, $variants: [ProductVariantsBulkInput!]!) {
      productVariantsBulkUpdate(productId: $productId, variants: $variants) {
        productVariants { id price }
        userErrors { message }
      }
    }`,
    { variables: { productId: product.id, variants } },
  );
  const { productVariants, userErrors: refused } = update.data.productVariantsBulkUpdate;
  const created = `${product.title}, ${productVariants?.[0]?.price ?? 'no price'}`;
  return { created, problem: refused[0]?.message ?? null };
}

export default function Products() {
  const { products } = useLoaderData<typeof loader>();
  const fetcher = useFetcher<typeof action>();
  const { created, problem } = fetcher.data ?? { created: null, problem: null };
  return (
    <Page title="Products">
      <BlockStack gap="400">
        <Card>
          <fetcher.Form method="post">
            <BlockStack gap="200" inlineAlign="start">
              <label>
                Title <input name="title" required />
              </label>
              <label>
                Price <input name="price" inputMode="decimal" placeholder="20.00" />
              </label>
              <Button submit variant="primary" loading={fetcher.state !== 'idle'}>
                Create product
              </Button>
              {created && <Text as="p">{`Created: ${created}`}</Text>}
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
            {products.map(({ id, name }) => (
              <List.Item key={id}>{name}</List.Item>
            ))}
          </List>
        </Card>
      </BlockStack>
    </Page>
  );
}
