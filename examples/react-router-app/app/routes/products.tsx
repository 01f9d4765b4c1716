import { useFetcher } from 'react-router';

import { authenticate } from '../shopify.server';
import type { Route } from './+types/products';

interface Products {
  products: { nodes: { id: string; title: string }[] };
}

interface ProductCreate {
  productCreate: {
    product: { id: string; title: string; variants: { nodes: { id: string }[] } } | null;
    userErrors: { message: string }[];
  };
}

export async function loader({ request }: Route.LoaderArgs) {
  const { admin } = await authenticate.admin(request);
  const { data } = await admin.graphql<Products>(
    `query Products { products(first: 50) { nodes { id title } } }`,
  );
  return { products: data.products.nodes };
}

export async function action({ request }: Route.ActionArgs) {
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

export default function Products({ loaderData: { products } }: Route.ComponentProps) {
  const fetcher = useFetcher<typeof action>();
  const { product, problem } = fetcher.data ?? {};
  return (
    <s-page heading="Products">
      <s-section heading="New product">
        <fetcher.Form method="post">
          <label>
            Title <input name="title" required />
          </label>{' '}
          <button type="submit" disabled={fetcher.state !== 'idle'}>
            Create product
          </button>
        </fetcher.Form>
        {product && <s-paragraph>{`Created: ${product.title}`}</s-paragraph>}
        {problem && <s-paragraph tone="critical">{problem}</s-paragraph>}
      </s-section>
      <s-section heading="All products">
        <s-unordered-list>
          {products.map(({ id, title }) => (
            <s-list-item key={id}>{title}</s-list-item>
          ))}
        </s-unordered-list>
      </s-section>
    </s-page>
  );
}
