import { Form } from 'react-router';
import { LoginErrorType } from 'shopwright/react-router';

import { login } from '../shopify.server';
import type { Route } from './+types/login';

export async function loader({ request }: Route.LoaderArgs) {
  return login(request);
}

export async function action({ request }: Route.ActionArgs) {
  return login(request);
}

const MESSAGES: Readonly<Record<string, string>> = {
  [LoginErrorType.MissingShop]: 'Enter the domain of your shop',
  [LoginErrorType.InvalidShop]: 'This is not the domain of a shop, such as my-shop.myshopify.com',
};

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const { shop: problem } = actionData ?? loaderData;
  return (
    <main>
      <h1>Log in</h1>
      <Form method="post">
        <label>
          Shop <input name="shop" placeholder="my-shop.myshopify.com" />
        </label>
        <button type="submit">Log in</button>
        {problem && <p role="alert">{MESSAGES[problem]}</p>}
      </Form>
    </main>
  );
}
