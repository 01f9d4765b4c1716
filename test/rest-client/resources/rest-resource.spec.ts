import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';

import { HttpResponseError } from '../../../lib/core/http/http.errors.js';
import { defineResources } from '../../../lib/rest-client/resources/define-resources.js';
import * as july26 from '../../../lib/rest-client/resources/generated/versions/2026-07.js';
import { RestResource } from '../../../lib/rest-client/resources/rest-resource.js';
import { SHOP } from '../../support/app.js';
import { collect } from '../../support/collect.js';
import { json } from '../../support/scripted-fetch.js';
import type { Scripted } from '../../support/scripted-fetch.js';
import { SESSION, mounted } from './resources.fixture.js';

const ADMIN = `https://${SHOP}/admin/api/2026-07`;
const app = (...answers: Scripted[]) => mounted(july26.restResources, '2026-07', ...answers);

/** A reply with a product that has two variants and an image. */
const PRODUCT = {
  id: 632910392,
  title: 'Player',
  tags: 'music',
  options: [{ name: 'Size', values: ['S', 'M'] }],
  variants: [
    { id: 1, price: '5.00', inventory_quantity: 10 },
    { id: 2, price: '6.00', inventory_quantity: 11 },
  ],
  images: [{ id: 9, src: 'a.png' }],
};

describe('reading resources', () => {
  it('finds one thing as an instance of the class, ids as texts with all their digits', async () => {
    const { rest } = app(new Response('{"product":{"id":9007199254740993,"title":"Player"}}'));
    const product = await rest.Product.find({ session: SESSION, id: 5 });
    expect(product).toBeInstanceOf(rest.Product);
    expect(product).toBeInstanceOf(july26.Product);
    expect(product).toMatchObject({ id: '9007199254740993', title: 'Player' });
  });

  it('finds nothing in a reply that holds no such thing', async () => {
    expect(
      await app(json({ other: {} })).rest.Product.find({ session: SESSION, id: 5 }),
    ).toBeUndefined();
  });

  it('refuses to find without an id, before anything is sent', async () => {
    const { rest, script } = app();
    for (const id of [0, '', NaN, null, undefined, {}]) {
      const found = rest.Product.find({ session: SESSION, id: id as number });
      await expect(found).rejects.toMatchObject({
        code: 'ERR_REST_RESOURCE',
        message: expect.stringContaining('products/<id>'),
      });
    }
    await expect(rest.Article.find({ session: SESSION, id: 1 })).rejects.toThrow(
      'Could not find a path for request.',
    );
    expect(script.sent).toEqual([]);
  });

  it('keeps ids within their place in the path', async () => {
    const { rest, script } = app();
    await rest.Product.find({ session: SESSION, id: '1/../../x?y#z' });
    expect(script.last.url).toBe(`${ADMIN}/products/1%2F..%2F..%2Fx%3Fy%23z.json`);
    await expect(rest.Product.find({ session: SESSION, id: '..' })).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
    });
  });

  it('sends arguments it does not know with lists and counts, and not with find and delete', async () => {
    const { rest, script } = app();
    await rest.Product.all({
      session: SESSION,
      limit: 5,
      own: true,
      gone: undefined,
      none: null,
      'in space': 'a b',
    });
    expect(script.last.url).toBe(`${ADMIN}/products.json?limit=5&own=true&in+space=a+b`);
    await rest.Product.count({ session: SESSION, own: { nested: ['x', 'y'] } });
    expect(script.last.url).toBe(
      `${ADMIN}/products/count.json?own%5Bnested%5D%5B%5D=x&own%5Bnested%5D%5B%5D=y`,
    );
    const extra = { session: SESSION, id: 1, own: 1 };
    await rest.Product.find(extra);
    await rest.Product.delete(extra);
    expect(script.sent.slice(2).map(({ url }) => url)).toEqual(
      Array(2).fill(`${ADMIN}/products/1.json`),
    );
  });

  it('answers a list with its instances, its headers and where its pages are', async () => {
    const link = `<${ADMIN}/products.json?limit=2&page_info=abc>; rel="next"`;
    const { rest, script } = app(
      json({ products: [{ id: 1 }, { id: 2 }] }, { headers: { link } }),
      json({ products: [] }),
    );
    const { data, headers, pageInfo } = await rest.Product.all({ session: SESSION, limit: 2 });
    expect(data.map(({ id }) => id)).toEqual(['1', '2']);
    expect(data.every((product) => product instanceof rest.Product)).toBe(true);
    expect(headers['Link']).toEqual([link]);
    expect(pageInfo).toMatchObject({
      limit: '2',
      nextPage: { path: 'products', query: { limit: '2', page_info: 'abc' } },
    });
    await rest.Product.all({ session: SESSION, ...pageInfo.nextPage?.query });
    expect(script.last.url).toBe(`${ADMIN}/products.json?limit=2&page_info=abc`);
  });

  it('walks through all pages of a list, and fetches none that nobody asks for', async () => {
    const page = (ids: number[], next?: string) =>
      json(
        { images: ids.map((id) => ({ id })) },
        next
          ? { headers: { link: `<${ADMIN}/products/7/images.json?page_info=${next}>; rel="next"` } }
          : {},
      );
    const { rest, script } = app(page([1, 2], 'b'), page([3], 'c'), page([4]));
    const walk = rest.Image.each({ session: SESSION, product_id: 7, limit: 2 });
    expect((await walk.next()).value).toMatchObject({ id: '1' });
    expect(script.sent.map(({ url }) => url)).toEqual([`${ADMIN}/products/7/images.json?limit=2`]);
    expect((await collect(walk)).map(({ id }) => id)).toEqual(['2', '3', '4']);
    expect(script.sent.slice(1).map(({ url }) => url)).toEqual(
      ['b', 'c'].map((info) => `${ADMIN}/products/7/images.json?page_info=${info}`),
    );
    expect(
      (
        await collect(
          app(json({ images: [] })).rest.Image.each({ session: SESSION, product_id: 7 }),
        )
      ).length,
    ).toBe(0);
    await expect(collect(rest.Image.each({ session: SESSION }))).rejects.toMatchObject({
      code: 'ERR_REST_RESOURCE',
    });
  });

  it('answers counts, deletions and methods of a resource’s own with the body', async () => {
    const { rest } = app(
      json({ count: 3 }),
      new Response('', { status: 200 }),
      json({ customers: [{ id: 1 }] }),
    );
    expect(await rest.Product.count({ session: SESSION })).toEqual({ count: 3 });
    expect(await rest.Product.delete({ session: SESSION, id: 1 })).toEqual({});
    expect(await rest.Customer.search({ session: SESSION, query: 'x' })).toEqual({
      customers: [{ id: '1' }],
    });
  });

  it('answers with the whole reply on demand, and does not send that demand', async () => {
    const { rest, script } = app(json({ customers: [] }, { headers: { 'x-own': 'yes' } }));
    const { body, headers, pageInfo } = await rest.Customer.search({
      session: SESSION,
      query: 'x',
      returnFullResponse: true,
    });
    expect({ body, own: headers['X-Own'], pageInfo }).toEqual({
      body: { customers: [] },
      own: ['yes'],
      pageInfo: { limit: '50' },
    });
    expect(script.last.url).toBe(`${ADMIN}/customers/search.json?query=x`);
  });

  it.each([404, 422])('throws the typed error of a %s', async (status) => {
    const { rest } = app(json({ errors: 'no' }, { status }));
    const failure = rest.Product.find({ session: SESSION, id: 5 });
    await expect(failure).rejects.toBeInstanceOf(HttpResponseError);
    await expect(failure).rejects.toMatchObject({
      status,
      operation: 'GET products/5',
      response: { body: { errors: 'no' } },
    });
  });

  it('tells of a deprecated path once, however often it is called', async () => {
    const { rest, lines } = app(() =>
      json(
        { products: [] },
        { headers: { 'x-shopify-api-deprecated-reason': 'https://example.com/old' } },
      ),
    );
    for (let call = 0; call < 3; call++) await rest.Product.all({ session: SESSION });
    expect(lines.filter((line) => line.includes('Deprecation'))).toHaveLength(1);
  });

  it('needs a session', async () => {
    const { rest } = app();
    await expect(rest.Product.all({} as { session: typeof SESSION })).rejects.toMatchObject({
      code: 'ERR_ARGUMENT_MISSING',
    });
    await expect(
      rest.Product.all(undefined as unknown as { session: typeof SESSION }),
    ).rejects.toMatchObject({
      code: 'ERR_ARGUMENT_MISSING',
    });
  });
});

describe('an instance', () => {
  it('has the attributes it was made with and no others', () => {
    const { rest } = app();
    const product = new rest.Product({ session: SESSION, fromData: { title: 'Player', own: 1 } });
    expect(Object.keys(product)).toEqual(['title', 'own']);
    expect(Object.keys(new rest.Product({ session: SESSION }))).toEqual([]);
    expect(product.session).toBe(SESSION);
  });

  it('shows neither its session nor the token', () => {
    const product = new (app().rest.Product)({
      session: SESSION,
      fromData: { id: '1', variants: [{ id: '2' }] },
    });
    const shown =
      inspect(product, { depth: 9, showHidden: true }) +
      JSON.stringify(product) +
      Object.keys(product).join();
    expect(shown).not.toContain(SESSION.accessToken);
    expect(JSON.stringify(product)).toBe('{"id":"1","variants":[{"id":"2"}]}');
  });

  it('makes instances of what is nested in it, with the same session', async () => {
    const { rest } = app(json({ product: PRODUCT }));
    const product = (await rest.Product.find({ session: SESSION, id: 1 }))!;
    expect(
      product.variants?.every(
        (variant) => variant instanceof rest.Variant && variant.session === SESSION,
      ),
    ).toBe(true);
    expect(product.images?.[0]).toBeInstanceOf(rest.Image);
    expect(product.options).toEqual(PRODUCT.options);
  });

  it('leaves alone what is nested but is no record', () => {
    const { rest } = app();
    const fromData = { variants: null, images: [] };
    expect({ ...new rest.Product({ session: SESSION, fromData }) }).toEqual(fromData);
    expect(new rest.Collection({ session: SESSION, fromData: { image: null } }).image).toBeNull();
    expect(
      new rest.ApplicationCharge({ session: SESSION, fromData: { currency: 'USD' } }).serialize(
        true,
      ),
    ).toEqual({ currency: 'USD' });
  });

  it('does not let a field take the place of a method', () => {
    const fromData = JSON.parse(
      '{"save":1,"serialize":2,"session":3,"constructor":4,"__proto__":{"x":5},"title":"Player"}',
    ) as object;
    const product = new (app().rest.Product)({ session: SESSION, fromData: { ...fromData } });
    const parsed = new (app().rest.Product)({
      session: SESSION,
      fromData: fromData as Record<string, unknown>,
    });
    for (const { save, serialize, session, ...rest } of [product, parsed]) {
      expect([typeof save, typeof serialize, session, rest]).toEqual([
        'function',
        'function',
        SESSION,
        { title: 'Player' },
      ]);
    }
    expect((parsed as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('can be of a class of the app’s own', async () => {
    const { rest } = app(json({ products: [{ id: 1 }] }));
    class Own extends rest.Product {
      get label(): string {
        return `#${this.id}`;
      }
    }
    const [first] = (await Own.all({ session: SESSION })).data as Own[];
    expect(first?.label).toBe('#1');
  });
});

describe('saving', () => {
  // A TypeError of JSON.stringify().
  it.each([
    ['an attribute', { price: 5n }, 'data.product'],
    ['what an attribute holds', { options: { price: 5n } }, 'options.price'],
  ])('refuses %s that JSON has no form for', async (_, fields, name) => {
    const { rest, script } = app();
    const product = Object.assign(new rest.Product({ session: SESSION }), fields);
    await expect(product.save()).rejects.toMatchObject({
      code: 'ERR_REQUEST_INVALID',
      message: expect.stringContaining(`no form for ${name};`),
    });
    expect(script.sent).toEqual([]);
  });

  it('creates what has no primary key and updates what has one', async () => {
    const { rest, script } = app();
    const product = new rest.Product({ session: SESSION });
    product.title = 'Player';
    product['own'] = null;
    product['undecided'] = undefined;
    await product.save();
    expect(script.last).toMatchObject({
      method: 'POST',
      url: `${ADMIN}/products.json`,
      body: '{"product":{"title":"Player","own":null}}',
    });
    product.id = '7';
    await product.save();
    expect(script.last).toMatchObject({ method: 'PUT', url: `${ADMIN}/products/7.json` });
    expect(JSON.parse(script.last.body!)).toEqual({
      product: { id: '7', title: 'Player', own: null },
    });
  });

  it('takes over the answer only when it is asked to', async () => {
    const { rest } = app(() =>
      json({ product: { id: 7, title: 'Player', images: [{ id: 9 }] } }, { status: 201 }),
    );
    const product = new rest.Product({
      session: SESSION,
      fromData: { title: 'player', tags: 'a' },
    });
    await product.save();
    expect(product.toJSON()).toEqual({ title: 'player', tags: 'a' });
    await product.saveAndUpdate();
    expect(product.toJSON()).toEqual({
      id: '7',
      title: 'Player',
      tags: 'a',
      images: [{ id: '9' }],
    });
    expect(product.images?.[0]).toBeInstanceOf(rest.Image);
  });

  it('stays as it is when the answer holds nothing of its kind', async () => {
    const product = new (app(json({ other: { id: 1 } })).rest.Product)({
      session: SESSION,
      fromData: { title: 'Player' },
    });
    await product.save({ update: true });
    expect(product.toJSON()).toEqual({ title: 'Player' });
  });

  it('sends nested things by the rules of their own class, whether instances or plain data', async () => {
    const { rest, script } = app();
    const product = new rest.Product({ session: SESSION, fromData: PRODUCT });
    product.variants = [...product.variants!, { price: '7.00', inventory_quantity: 12 }];
    await product.save();
    const { variants, images } = (JSON.parse(script.last.body!) as { product: typeof PRODUCT })
      .product;
    expect(variants).toEqual([
      { id: 1, price: '5.00' },
      { id: 2, price: '6.00' },
      { price: '7.00' },
    ]);
    expect(images).toEqual(PRODUCT.images);
    expect(product.serialize()['variants']).toMatchObject([
      { inventory_quantity: 10 },
      { inventory_quantity: 11 },
      { inventory_quantity: 12 },
    ]);
  });

  it('sends only what has changed when asked to', async () => {
    const { rest, script } = app(json({ product: PRODUCT }), () => json({}));
    const product = (await rest.Product.find({ session: SESSION, id: 1 }))!;
    const sent = () => JSON.parse(script.last.body!) as unknown;
    product.title = 'Recorder';
    await product.save({ onlyChanges: true });
    expect(sent()).toEqual({ product: { id: '632910392', title: 'Recorder' } });

    (product.options as { values: string[] }[])[0]!.values.push('L');
    product.variants![1]!.price = '6.50';
    product['own'] = 1;
    await product.save({ onlyChanges: true });
    expect(sent()).toEqual({
      product: {
        id: '632910392',
        options: [{ name: 'Size', values: ['S', 'M', 'L'] }],
        variants: [
          { id: '1', price: '5.00' },
          { id: '2', price: '6.50' },
        ],
        own: 1,
      },
    });

    const { length } = script.sent;
    await product.save({ onlyChanges: true });
    expect(script.sent).toHaveLength(length);
  });

  it('knows of nested things what was sent with them, and what was sent by themselves', async () => {
    const { rest, script } = app();
    const product = new rest.Product({ session: SESSION, fromData: PRODUCT });
    const [first, second] = product.variants!;
    const plain = { price: '7.00' };
    const saved = async () => {
      const { length } = script.sent;
      await product.save({ onlyChanges: true });
      return script.sent.length > length
        ? Object.keys((JSON.parse(script.last.body!) as { product: object }).product)
        : [];
    };
    first!.price = '5.50';
    await first!.save();
    expect(await saved()).toEqual([]);
    second!.price = '6.50';
    expect(await saved()).toEqual(['id', 'variants']);
    expect(await saved()).toEqual([]);
    product.variants!.pop();
    expect(await saved()).toEqual(['id', 'variants']);
    product.variants = [first!, plain];
    expect(await saved()).toEqual(['id', 'variants']);
    plain.price = '7.50';
    expect(await saved()).toEqual(['id', 'variants']);
    product.images = null;
    expect(await saved()).toEqual(['id', 'images']);
    expect(await saved()).toEqual([]);
  });

  it('still knows as changed what was changed while a save was under way', async () => {
    const { rest, script } = app(json({ product: { id: 1, title: 'one' } }), () => json({}));
    const product = new rest.Product({ session: SESSION, fromData: PRODUCT });
    product.title = 'one';
    const saving = product.save({ update: true, onlyChanges: true });
    product.tags = 'two';
    product.variants![0]!.price = '5.50';
    await saving;
    await product.save({ onlyChanges: true });
    const [first, second] = script.sent.map(({ body }) =>
      Object.keys((JSON.parse(body!) as { product: object }).product),
    );
    expect([first, second]).toEqual([
      ['id', 'title'],
      ['id', 'tags', 'variants'],
    ]);
  });

  it('counts a failed save as none', async () => {
    const { rest, script } = app(json({ errors: { title: ['no'] } }, { status: 422 }), () =>
      json({}),
    );
    const product = new rest.Product({ session: SESSION, fromData: { id: '1', title: 'Player' } });
    product.title = '';
    for (let attempt = 0; attempt < 2; attempt++)
      await product.save({ onlyChanges: true }).catch(() => {});
    expect(script.sent.map(({ body }) => body)).toEqual(
      Array(2).fill('{"product":{"id":"1","title":""}}'),
    );
  });

  it('sends all of what is new', async () => {
    const { rest, script } = app();
    await new rest.Product({ session: SESSION, fromData: { title: 'Player' } }).save({
      onlyChanges: true,
    });
    expect(script.last).toMatchObject({ method: 'POST', body: '{"product":{"title":"Player"}}' });
  });

  it('deletes by the ids it has', async () => {
    const { rest, script } = app();
    await new rest.Image({
      session: SESSION,
      fromData: { id: 5, product_id: 6, alt: 'x' },
    }).delete();
    expect(script.last).toMatchObject({
      method: 'DELETE',
      url: `${ADMIN}/products/6/images/5.json`,
      body: undefined,
    });
    await expect(
      new rest.Image({ session: SESSION, fromData: { id: 5 } }).delete(),
    ).rejects.toMatchObject({ code: 'ERR_REST_RESOURCE' });
  });

  it('leaves an instance as it is when a method of its own acts on it', async () => {
    const { rest, script } = app(json({ order: { id: 1, note: 'closed' } }));
    const order = new rest.Order({ session: SESSION, fromData: { id: 1 } });
    expect(await order.close()).toEqual({ order: { id: '1', note: 'closed' } });
    expect(order.toJSON()).toEqual({ id: 1 });
    expect(script.last).toMatchObject({
      method: 'POST',
      url: `${ADMIN}/orders/1/close.json`,
      body: undefined,
    });
  });
});

describe('classes and apps', () => {
  it('belong to no app as they are imported, and say where to get those that do', async () => {
    const unmounted = {
      code: 'ERR_REST_RESOURCE_UNMOUNTED',
      message: expect.stringMatching(/api\.rest\.Product.*admin\.rest\.resources\.Product/),
    };
    await expect(july26.Product.all({ session: SESSION })).rejects.toMatchObject(unmounted);
    await expect(july26.Product.each({ session: SESSION }).next()).rejects.toMatchObject(unmounted);
    await expect(new july26.Product({ session: SESSION }).save()).rejects.toMatchObject(unmounted);
  });

  it('are an app’s own, those of nested things included, in whatever order apps are made', async () => {
    const one = app(() => json({ product: PRODUCT }));
    const other = app(() => json({ product: PRODUCT }));
    expect(one.rest.Product).not.toBe(other.rest.Product);
    const mine = (await one.rest.Product.find({ session: SESSION, id: 1 }))!;
    const theirs = (await other.rest.Product.find({ session: SESSION, id: 1 }))!;
    await mine.variants![0]!.save();
    await theirs.variants![0]!.save();
    await mine.variants![0]!.save();
    expect([one.script.sent.length, other.script.sent.length]).toEqual([3, 2]);
    expect(theirs.images?.[0]).not.toBeInstanceOf(one.rest.Image);
    await expect(
      new july26.Product({ session: SESSION, fromData: PRODUCT }).variants![0]!.save(),
    ).rejects.toMatchObject({
      code: 'ERR_REST_RESOURCE_UNMOUNTED',
    });
  });

  it('may be a part of a version', async () => {
    const { Product } = july26;
    const { rest } = mounted({ Product }, '2026-07', json({ product: PRODUCT }), json({}));
    const product = (await rest.Product.find({ session: SESSION, id: 1 }))!;
    await product.variants![0]!.save();
    expect(product.variants![0]).toBeInstanceOf(july26.Variant);
    expect(Object.keys(rest)).toEqual(['Product']);
  });

  it('are the same whether written by name or taken from the set', () => {
    const { restResources, ...named } = july26;
    expect(Object.keys(named).sort()).toEqual(Object.keys(defineResources('2026-07')).sort());
    for (const [name, resource] of Object.entries(named))
      expect(resource).toBe((restResources as unknown as Record<string, unknown>)[name]);
    expect(Object.values(named).every(({ prototype }) => prototype instanceof RestResource)).toBe(
      true,
    );
  });
});
