import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // Forms come from the app behind its proxies, and from every domain of a shop. No action of this
  // app goes by cookies: it takes session tokens, and what the platform has signed.
  allowedActionOrigins: ['**'],
  // What React Router 8 does without being asked.
  future: {
    v8_middleware: true,
    v8_passThroughRequests: true,
    v8_splitRouteModules: true,
    v8_trailingSlashAwareDataRequests: true,
    v8_viteEnvironmentApi: true,
  },
} satisfies Config;
