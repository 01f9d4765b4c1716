import { describe, expect, it } from '@jest/globals';
import { createElement, useContext } from 'react';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';

import {
  AppProvider,
  AppProxyProvider,
  AppProxyProviderContext,
} from '../../../../lib/integrations/react-router/react/index.js';
import type { AppProviderProps } from '../../../../lib/integrations/react-router/react/index.js';
import { formatUrlFor } from '../../../../lib/integrations/web/react/app-proxy.js';

// Born of a comparison with the official package, which has the property and the context.
describe('AppProvider', () => {
  const render = (props: { polarisUrl?: string }): string =>
    renderToString(
      createElement(MemoryRouter, null, createElement(AppProvider, { apiKey: 'key', ...props })),
    );

  it('loads the components of Polaris from where they are', () => {
    expect(render({ polarisUrl: '/polaris.js' })).toContain('<script src="/polaris.js">');
    expect(render({})).toContain('<script src="https://cdn.shopify.com/shopifycloud/polaris.js">');
  });

  it('has props that apps extend', () => {
    interface OwnProps extends AppProviderProps {
      readonly title: string;
    }
    const Own = ({ title, ...props }: OwnProps): ReactElement =>
      createElement(AppProvider, props, title);
    const own = createElement(Own, { apiKey: 'key', embedded: false, title: 'Own' });
    expect(renderToString(createElement(MemoryRouter, null, own))).toContain('Own');
  });

  // Born of the official template, whose login page has no API key.
  it('leaves App Bridge out of a page outside of the admin, which needs no key', () => {
    const page = createElement(AppProvider, { embedded: false }, 'Log in');
    const html = renderToString(createElement(MemoryRouter, null, page));
    expect(html).toContain('Log in');
    expect(html).toContain('polaris.js');
    expect(html).not.toContain('app-bridge.js');
  });
});

describe('AppProxyProviderContext', () => {
  const urls: [string | undefined, boolean?][] = [
    ['/a'],
    ['/a?b=c', false],
    ['https://example.com/a'],
    [undefined],
  ];
  function Known(): ReactElement {
    const proxy = useContext(AppProxyProviderContext);
    const formatted = urls.map((url) => proxy?.formatUrl(...url));
    return createElement('p', null, JSON.stringify([proxy?.appUrl, proxy?.requestUrl, formatted]));
  }
  const textOf = (element: ReactElement): unknown =>
    JSON.parse(/<p>(.*)<\/p>/.exec(renderToString(element))![1]!.replaceAll('&quot;', '"'));

  it('tells components of the app what its links and forms know', () => {
    const page = createElement(
      AppProxyProvider,
      { appUrl: 'https://app.example.com' },
      createElement(Known),
    );
    expect(textOf(page)).toEqual([
      'https://app.example.com',
      // A browser knows the address in the storefront.
      null,
      ['/a/', '/a/?b=c', 'https://example.com/a', null],
    ]);
  });

  // As in a browser: what is rendered on a server has no page.
  it('formats addresses with the origin of the page, but for the actions of forms', () => {
    const formatUrl = formatUrlFor(new URL('https://shop.example.com/apps/reviews?page=2'));
    const formatted = urls.map((url) => formatUrl(...url));
    expect(formatted).toEqual([
      'https://shop.example.com/a/',
      '/a/?b=c',
      'https://example.com/a',
      undefined,
    ]);
  });

  it('is null outside of a provider', () => {
    expect(textOf(createElement(Known))).toEqual([null, null, [null, null, null, null]]);
  });
});
