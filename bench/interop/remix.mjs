// An app of the official Remix package.
import '@shopify/shopify-app-remix/server/adapters/node';
import { shopifyApp } from '@shopify/shopify-app-remix/server';
import { MemorySessionStorage } from '@shopify/shopify-app-session-storage-memory';
import { optionsOf, serve } from './routes.mjs';

export async function open(fixtures, flags) {
  const future = { expiringOfflineAccessTokens: true, ...flags };
  const sessionStorage = new MemorySessionStorage();
  const shopify = shopifyApp(optionsOf(fixtures, () => shopify, { sessionStorage, future }));
  return serve(fixtures, shopify);
}
