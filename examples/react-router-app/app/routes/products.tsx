import { useFetcher } from 'react-router';

import { authenticate } from '../shopify.server';
import type { Route } from './+types/products';

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

export async function loader({ request }: Route.LoaderArgs) {
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

export async function action({ request }: Route.ActionArgs) {
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

export default function Products({ loaderData: { products } }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof action>();
  const { created, problem } = fetcher.data ?? { created: null, problem: null };
  return (
    <s-page heading="Products">
      <s-section heading="New product">
        <fetcher.Form method="post">
          <label>
            Title <input name="title" required />
          </label>{' '}
          <label>
            Price <input name="price" inputMode="decimal" placeholder="20.00" />
          </label>{' '}
          <button type="submit" disabled={fetcher.state !== 'idle'}>
            Create product
          </button>
        </fetcher.Form>
        {created && <s-paragraph>{`Created: ${created}`}</s-paragraph>}
        {problem && <s-paragraph tone="critical">{problem}</s-paragraph>}
      </s-section>
      <s-section heading="All products">
        <s-unordered-list>
          {products.map(({ id, name }) => (
            <s-list-item key={id}>{name}</s-list-item>
          ))}
        </s-unordered-list>
      </s-section>
    </s-page>
  );
}
