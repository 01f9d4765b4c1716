import { authenticate } from '../shopify.server';
import type { Route } from './+types/wishes.products';

/**
 * The page `/apps/wishes/products` of the storefront, in Liquid: the platform shows it within the
 * theme of the shop.
 */
export async function loader({ request }: Route.LoaderArgs) {
  const { liquid, storefront } = await authenticate.public.appProxy(request);
  if (!storefront) return liquid('<p>This shop has to open the app again.</p>', 404);
  const search = new URL(request.url).searchParams.get('search') ?? '';
  const { data } = await storefront.graphql<Products>(
    `query Products($search: String) { products(first: 20, query: $search) { nodes { title } } }`,
    { variables: { search } },
  );
  const titles = data.products.nodes.map(({ title }) => `<li>${asText(title)}</li>`);
  return liquid(`
    <h1>What {{ shop.name }} sells</h1>
    <form action="/apps/wishes/products">
      <label for="search">Search</label>
      <input id="search" name="search" value="${asText(search)}">
      <button type="submit">Search</button>
    </form>
    <ul>${titles.join('')}</ul>
    <p><a href="/apps/wishes">Wish for something else</a></p>
  `);
}

interface Products {
  products: { nodes: { title: string }[] };
}

/** Text that neither HTML nor Liquid takes for its own. */
function asText(text: string): string {
  return text.replace(/[&<>"'{}]/g, (character) => `&#${character.charCodeAt(0)};`);
}
