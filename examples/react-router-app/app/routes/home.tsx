import { Form, redirect } from 'react-router';

import type { Route } from './+types/home';

/** Where the admin opens the app. Anybody else may name a shop. */
export async function loader({ request }: Route.LoaderArgs) {
  const { search, searchParams } = new URL(request.url);
  if (searchParams.has('shop')) throw redirect(`/app${search}`);
  return null;
}

export default function Home() {
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
