// Calls of Admin REST, with the client of a package and with its typed resources.

/** @param client has `get` and `post` @param resources the classes of the typed resources */
export const restCalls = (client, resources, session) => ({
  async rest() {
    const { body } = await client.get({ path: 'products', query: { limit: 2 } });
    const count = await client.get({ path: 'products/count' });
    const page = await client.get({ path: 'products', query: { limit: 2 } });
    const next = page.pageInfo?.nextPage ? await client.get(page.pageInfo.nextPage) : undefined;
    return { first: body.products, count: count.body.count, second: next?.body.products };
  },

  async resources() {
    const product = new resources.Product({ session });
    product.title = 'Walking boots';
    await product.save({ update: true });
    product.title = 'Climbing boots';
    await product.saveAndUpdate();
    const found = await resources.Product.find({ session, id: product.id });
    const { data: all } = await resources.Product.all({ session });
    await resources.Product.delete({ session, id: product.id });
    const { count } = await resources.Product.count({ session });
    return { id: product.id, title: found.title, listed: all.length, left: count };
  },

  async charge() {
    const charge = new resources.RecurringApplicationCharge({ session });
    Object.assign(charge, {
      name: 'Pro',
      price: 9.99,
      return_url: 'http://localhost/',
      test: true,
    });
    await charge.save({ update: true });
    const { id, status, confirmation_url } = charge;
    const found = await resources.RecurringApplicationCharge.find({ session, id });
    await resources.RecurringApplicationCharge.delete({ session, id });
    return { id, status, found: found.name, confirmationUrl: confirmation_url };
  },

  async image() {
    const { data } = await resources.Product.all({ session, limit: 1 });
    const [{ id: productId }] = data;
    const image = new resources.Image({ session });
    Object.assign(image, { product_id: productId, src: 'https://example.com/boots.png' });
    await image.save({ update: true });
    const { count } = await resources.Image.count({ session, product_id: productId });
    await resources.Image.delete({ session, product_id: productId, id: image.id });
    const { data: left } = await resources.Image.all({ session, product_id: productId });
    return { src: image.src, position: image.position, count: count.count ?? count, left };
  },
});
