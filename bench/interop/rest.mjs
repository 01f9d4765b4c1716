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
});
