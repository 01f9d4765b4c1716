import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';

import { AppProvider } from '../../../../lib/integrations/react-router/react/index.js';

// Born of a comparison with the official package, which has the property.
describe('AppProvider', () => {
  const render = (props: { polarisUrl?: string }): string =>
    renderToString(
      createElement(MemoryRouter, null, createElement(AppProvider, { apiKey: 'key', ...props })),
    );

  it('loads the components of Polaris from where they are', () => {
    expect(render({ polarisUrl: '/polaris.js' })).toContain('<script src="/polaris.js">');
    expect(render({})).toContain('<script src="https://cdn.shopify.com/shopifycloud/polaris.js">');
  });
});
