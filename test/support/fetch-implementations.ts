import crossFetch from 'cross-fetch';
import nodeFetch3 from 'node-fetch';
import nodeFetch2 from 'node-fetch-2';
import { fetch as undiciFetch } from 'undici';

import type { CustomFetchApi } from '../../lib/core/http/standalone-caller.js';

/** A `fetch` whose replies have no `body`, as those of React Native and of older polyfills. */
const withoutBody: typeof fetch = async (url, init) => {
  const response = await fetch(url, init);
  return new Proxy(response, {
    get(target, name) {
      if (name === 'body') return undefined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};

/** What apps pass as `customFetchApi`. */
export const FETCH_IMPLEMENTATIONS: readonly (readonly [name: string, fetch: CustomFetchApi])[] = [
  ['the native fetch', fetch],
  ['undici', undiciFetch],
  ['node-fetch 2', nodeFetch2],
  ['node-fetch 3', nodeFetch3],
  ['cross-fetch', crossFetch],
  ['a fetch without bodies', withoutBody],
];
