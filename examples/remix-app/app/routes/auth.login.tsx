import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { Form, useActionData, useLoaderData } from '@remix-run/react';
import { LoginErrorType } from 'shopwright/remix';

import { login } from '../shopify.server';

export async function loader({ request }: LoaderFunctionArgs) {
  return login(request);
}

export async function action({ request }: ActionFunctionArgs) {
  return login(request);
}

const MESSAGES: Readonly<Record<string, string>> = {
  [LoginErrorType.MissingShop]: 'Enter the domain of your shop',
  [LoginErrorType.InvalidShop]: 'This is not the domain of a shop, such as my-shop.myshopify.com',
};

export default function Login() {
  const shown = useLoaderData<typeof loader>();
  const { shop: problem } = useActionData<typeof action>() ?? shown;
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
