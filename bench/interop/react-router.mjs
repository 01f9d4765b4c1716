// An app of the official React Router package.
import '@shopify/shopify-app-react-router/adapters/node';
import { shopifyApp } from '@shopify/shopify-app-react-router/server';
import { MemorySessionStorage } from '@shopify/shopify-app-session-storage-memory';
import { optionsOf, serve } from './routes.mjs';

export async function open(fixtures) {
  const future = { expiringOfflineAccessTokens: true };
  const sessionStorage = new MemorySessionStorage();
  const shopify = shopifyApp(optionsOf(fixtures, () => shopify, { sessionStorage, future }));
  return serve(fixtures, shopify);
}
