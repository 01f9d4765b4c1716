import type { RouteConfig } from '@react-router/dev/routes';
import { index, layout, prefix, route } from '@react-router/dev/routes';

export default [
  index('routes/home.tsx'),
  layout('routes/app.tsx', [
    ...prefix('app', [index('routes/products.tsx'), route('shop', 'routes/shop.tsx')]),
  ]),
  route('auth/login', 'routes/login.tsx'),
  route('auth/*', 'routes/auth.tsx'),
  route('apps/wishes', 'routes/wishes.tsx'),
  route('apps/wishes/products', 'routes/wishes.products.tsx'),
  route('webhooks', 'routes/webhooks.tsx'),
] satisfies RouteConfig;
