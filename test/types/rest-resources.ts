/**
 * Checked by the compiler, never run: what users of the typed REST resources write without a cast.
 */
import { platformApp as expressApp } from '../../lib/integrations/express/index.js';
import { platformApp as remixApp } from '../../lib/integrations/remix/index.js';
import type { AdminContext, Session, SessionStorage } from '../../lib/index.js';
import { PlatformModule } from '../../lib/index.js';
import {
  Product,
  restResources,
} from '../../lib/rest-client/resources/generated/versions/2026-07.js';
import type { Variant } from '../../lib/rest-client/resources/generated/versions/2026-07.js';
import * as october24 from '../../lib/rest-client/resources/generated/versions/2024-10.js';

export async function inExpress(session: Session): Promise<void> {
  const { api } = expressApp({ api: { apiVersion: '2026-07', restResources } });
  const { data, pageInfo } = await api.rest.Product.all({ session, limit: 50, anything: ['else'] });
  const title: string | null | undefined = data[0]?.title;
  const next = await api.rest.Product.all({ session, ...pageInfo.nextPage?.query });
  for await (const product of api.rest.Product.each({ session, limit: 250 }))
    void product.variants?.map(({ price }) => price);
  const { count } = await api.rest.Product.count({ session, vendor: 'x' });
  const found: Product | undefined = await api.rest.Product.find({
    session,
    id: '1',
    fields: 'id,title',
  });
  const orders: { orders: unknown[] } = await api.rest.Customer.orders<{ orders: unknown[] }>({
    session,
    id: 1,
  });
  const { headers } = await api.rest.Customer.search({
    session,
    query: 'x',
    returnFullResponse: true,
  });
  const { admin } = await api.clients.forShop('shop');
  void [
    title,
    next.data,
    count.toFixed(),
    found?.variants?.[0]?.price,
    orders,
    headers,
    admin.rest.resources.Order,
  ];

  // @ts-expect-error who asks is missing
  await api.rest.Product.all({ limit: 50 });
  // @ts-expect-error the id is missing
  await api.rest.Product.find({ session });
  // @ts-expect-error only what is known is sent with it
  await api.rest.Product.find({ session, id: 1, limit: 5 });
  // @ts-expect-error there is no such list
  void api.rest.Checkout.all;
  // @ts-expect-error the version has none of these any more
  void api.rest.CustomerAddress;
  // @ts-expect-error nothing is known of the answer
  void (await api.rest.Customer.search({ session })).customers;
}

export async function instances(session: Session): Promise<void> {
  const product = new Product({ session, fromData: { title: 'Player' } });
  product.title = null;
  product.variants = [{ price: '5.00' }];
  product['own_field'] = 1;
  const variants: Variant[] | null = product.variants;
  const own: unknown = product['own_field'];
  await product.save({ update: true, onlyChanges: true });
  const charge = new restResources.ApplicationCharge({ session });
  if (typeof charge.currency === 'string') void charge.currency.toUpperCase();
  const order = new restResources.Order({ session });
  await order.cancel({ amount: '5.00', body: { refund: {} } });
  await order.close();
  void [variants, own];

  // @ts-expect-error a title is a text
  product.title = 5;
  // @ts-expect-error an instance belongs to a session
  void new Product({});
}

export async function inRemix(sessionStorage: SessionStorage, request: Request): Promise<void> {
  const app = remixApp({
    apiVersion: '2024-10',
    scopes: [],
    sessionStorage,
    restResources: october24.restResources,
  });
  const { admin, session } = await app.authenticate.admin(request);
  const { data } = await admin.rest.resources.CustomerAddress.all({ session, customer_id: 1 });
  const isDefault: boolean | null | undefined = data[0]?.is_default;
  const { body } = await admin.rest.get({ path: 'shop' });
  const elsewhere = (await app.unauthenticated.admin('shop')).admin.rest.resources.Payment.count;
  void [isDefault, body, elsewhere];
  // @ts-expect-error nothing is known of what nobody has declared
  void data[0]?.is_standard_address.valueOf();
}

export async function inNest(admin: AdminContext, session: Session): Promise<void> {
  PlatformModule.forRoot({ apiVersion: '2026-07', restResources });
  // Where nothing is registered, a class may be missing and its methods are unknown.
  const Any = admin.rest.resources['Product'];
  if (Any) await new Any({ session }).save();
  // @ts-expect-error these are no resources
  PlatformModule.forRoot({ apiVersion: '2026-07', restResources: { Product: class {} } });
}
