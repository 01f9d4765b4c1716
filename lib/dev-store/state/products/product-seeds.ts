import type { SeedProduct } from './product.js';

/** The default products of a shop. */
export const DEFAULT_PRODUCTS: readonly SeedProduct[] = [
  {
    title: 'Stoneware mug',
    price: '24.00',
    sku: 'MUG-01',
    productType: 'Tableware',
    tags: ['ceramic', 'kitchen'],
    descriptionHtml: '<p>Thrown by hand, glazed in ash grey, holds 350 ml.</p>',
  },
  {
    title: 'Linen tea towel',
    price: '14.50',
    sku: 'TWL-01',
    productType: 'Textiles',
    tags: ['kitchen', 'linen'],
    descriptionHtml: '<p>Washed European linen, softer with every use.</p>',
  },
  {
    title: 'Beeswax candle',
    price: '18.00',
    sku: 'CND-01',
    productType: 'Home',
    tags: ['gift'],
    descriptionHtml: '<p>Pure beeswax, burns for forty hours.</p>',
  },
  {
    title: 'Oak serving board',
    price: '56.00',
    sku: 'BRD-01',
    productType: 'Tableware',
    tags: ['kitchen', 'wood'],
    descriptionHtml: '<p>Solid oak, oiled, 45 × 20 cm.</p>',
  },
  {
    title: 'Wool throw',
    price: '120.00',
    sku: 'THR-01',
    productType: 'Textiles',
    tags: ['gift', 'wool'],
    descriptionHtml: '<p>Undyed lambswool, woven in a twill.</p>',
  },
  {
    title: 'Enamel watering can',
    price: '42.00',
    sku: 'CAN-01',
    productType: 'Garden',
    tags: ['garden'],
    status: 'draft',
    descriptionHtml: '<p>Two litres, with a brass rose.</p>',
  },
];
