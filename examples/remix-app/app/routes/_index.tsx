import type { LoaderFunctionArgs } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { Form } from '@remix-run/react';

/** Where the admin opens the app. Anybody else may name a shop. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  if (searchParams.has('shop')) throw redirect(`/app${search}`);
  return null;
}

export default function Index() {
  return (
    <main>
      <h1>Products, an example</h1>
      <Form method="post" action="/auth/login">
        <label>
          Shop <input name="shop" placeholder="my-shop.myshopify.com" />
        </label>
        <button type="submit">Log in</button>
      </Form>
    </main>
  );
}
