import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openNodeShop, type NodeShopFixture } from '../nodes/node-shop.fixture.js';

describe('what the REST API creates', () => {
  let fixture: NodeShopFixture;
  beforeAll(async () => {
    fixture = await openNodeShop(['content']);
  });
  afterAll(() => fixture.devStore.close());

  it('has an address of its own, which stays', async () => {
    const token = fixture.shop.install('key', { scopes: ['write_content'] });
    const send = async (method: string, path: string, page: object): Promise<unknown> => {
      const url = `https://${fixture.shop.domain}/admin/api/2026-07/${path}.json`;
      const response = await fixture.devStore.fetch(url, {
        method,
        headers: { 'Content-Type': 'application/json', 'X-Shopify-Access-Token': token },
        body: JSON.stringify({ page }),
      });
      return ((await response.json()) as { page: unknown }).page;
    };
    const first = await send('POST', 'pages', { title: 'Über uns' });
    expect(first).toMatchObject({ handle: 'uber-uns' });
    expect(await send('POST', 'pages', { title: 'Über uns' })).toMatchObject({
      handle: 'uber-uns-1',
    });
    const { id } = first as { id: number };
    expect(await send('PUT', `pages/${id}`, { title: 'Contact' })).toMatchObject({
      title: 'Contact',
      handle: 'uber-uns',
    });
  });
});
