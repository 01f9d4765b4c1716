import { afterEach, describe, expect, it } from '@jest/globals';
import { UNSAFE_ErrorResponseImpl as ErrorResponseImpl, createStaticHandler } from 'react-router';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';

import { errorPage } from '../../../lib/core/http/own-pages.js';
import { boundary } from '../../../lib/integrations/react-router/index.js';
import { boundary as browserBoundary } from '../../../lib/integrations/react-router/browser.js';
import type { BoundaryElement } from '../../../lib/integrations/web/boundary.js';
import { SHOP } from '../../support/app.js';
import { inDocument } from './document.fixture.js';
import { APP_BRIDGE_TAG, Platform, ROUTES, page, request, tokenPage } from './web.fixture.js';
import type { Routes } from './web.fixture.js';

const IMAGE = '<img src=x onerror="alert(1)">';
const SHOWN = '&lt;img src=x onerror="alert(1)"&gt;';

interface Thrown {
  readonly status: number;
  readonly statusText: string;
  readonly data: unknown;
}

/** What an error boundary of the app gets when a loader throws: that of Remix is the same. */
async function caught(asked: Request, load: () => unknown): Promise<Thrown> {
  const loader = async (): Promise<unknown> => load();
  const routes = [{ id: 'root', path: '*', loader, hasErrorBoundary: true }];
  const result = await createStaticHandler(routes).query(asked);
  if (result instanceof Response) throw new Error(`Not caught: ${result.status}`);
  return result.errors!['root'] as Thrown;
}

const htmlOf = (element: BoundaryElement): string => element.props.dangerouslySetInnerHTML.__html;

/**
 * The HTML that the boundary shows on the server, and then in the browser that loads it, whose
 * markup is the same.
 */
async function shown(asked: Request, load: () => unknown): Promise<string[]> {
  const error = await caught(asked, load);
  const onServer = boundary.error(error);
  const markup = renderToString(onServer as ReactElement);
  const inBrowser = inDocument(markup, () => browserBoundary.error(sent(error)));
  expect(renderToString(inBrowser as ReactElement)).toBe(markup);
  return [onServer, inBrowser].map(htmlOf);
}

/** What the router in the browser makes of an error that the server has sent to it. */
function sent(error: Thrown): ErrorResponseImpl {
  const { status, statusText, data } = JSON.parse(JSON.stringify(error)) as Thrown;
  return new ErrorResponseImpl(status, statusText, data);
}

const thrownText = (text: string, init?: ResponseInit): Promise<string[]> =>
  shown(request('/'), () => Promise.reject(new Response(text, init)));

describe.each(ROUTES)('the error boundary of $name', ({ open }: Routes) => {
  let app: ReturnType<Routes['open']>;
  afterEach(() => app?.close());

  it('shows the pages that load App Bridge', async () => {
    app = open();
    for (const path of [
      `/auth/session-token?shop=${SHOP}`,
      `/auth/exit-iframe?shop=${SHOP}&exitIframe=/`,
    ]) {
      const asked = request(path);
      for (const html of await shown(asked, () => app.authenticate.admin(asked)))
        expect(html).toContain(APP_BRIDGE_TAG);
    }
  });

  it('shows the page that says why a request was denied', async () => {
    app = open();
    const asked = page('/', {}, { 'user-agent': 'Googlebot', accept: 'text/html' });
    for (const html of await shown(asked, () => app.authenticate.admin(asked))) {
      expect(html).toMatch(/^<!doctype html>/);
      expect(html).toContain('<h1>This request could not be completed</h1>');
    }
  });

  it('shows as text what the app has thrown, also when it is HTML', async () => {
    const html = { headers: { 'content-type': 'text/html' } };
    expect(await thrownText(IMAGE)).toEqual([SHOWN, SHOWN]);
    expect(await thrownText(IMAGE, { ...html, status: 404, statusText: 'Not Found' })).toEqual([
      SHOWN,
      SHOWN,
    ]);
    for (const text of await thrownText(`<!doctype html>${APP_BRIDGE_TAG}${IMAGE}`, html))
      expect(text).not.toContain('<');
  });

  it('shows as text what a hook of the app has thrown', async () => {
    const afterAuth = (): Promise<never> =>
      Promise.reject(new Response(IMAGE, { headers: { 'content-type': 'text/html' } }));
    app = open({ hooks: { afterAuth }, fetch: new Platform().fetch });
    const asked = tokenPage();
    expect(await shown(asked, () => app.authenticate.admin(asked))).toEqual([SHOWN, SHOWN]);
  });

  it('shows as text a page that was changed, with the status text of the one that was not', async () => {
    app = open();
    const asked = request(`/auth/session-token?shop=${SHOP}`);
    const { data, statusText } = await caught(asked, () => app.authenticate.admin(asked));
    expect(statusText).toMatch(/^OK \(page [\w-]{43}\)$/);
    for (const given of [statusText, statusText.slice(3), `${statusText} `, 'OK', '']) {
      for (const html of await thrownText(`${String(data)}${IMAGE}`, { statusText: given }))
        expect(html).not.toContain('<');
    }
  });

  it('shows in a browser as text what the server has not rendered', async () => {
    app = open();
    const asked = request(`/auth/session-token?shop=${SHOP}`);
    const error = await caught(asked, () => app.authenticate.admin(asked));
    const others = await caught(asked, () =>
      app.authenticate.admin(request(`/auth/exit-iframe?shop=${SHOP}&exitIframe=/`)),
    );
    const invented = { status: 200, statusText: `OK (page ${'a'.repeat(43)})`, data: IMAGE };
    for (const rendered of [undefined, others])
      for (const thrown of [error, invented]) {
        const markup = rendered ? renderToString(boundary.error(rendered) as ReactElement) : '';
        const html = inDocument(markup, () => htmlOf(browserBoundary.error(sent(thrown))));
        expect(html).not.toContain('<');
      }
    expect(htmlOf(browserBoundary.error(sent(error)))).not.toContain('<');
  });

  it.each([
    ['a tag in its message', errorPage(410, 'Gone').replace('Gone', IMAGE)],
    ['a tag behind it', errorPage(410, 'Gone') + IMAGE],
    ['a tag before it', IMAGE + errorPage(410, 'Gone')],
    ['a tag in its status', errorPage(410, 'Gone').replace('410', '<b>')],
    ['two messages', errorPage(410, 'a').replace('a</p>', 'a</p><p>b</p>')],
    ['its beginning alone', errorPage(410, 'Gone').split('Gone')[0]!],
    ['an end that its beginning is', errorPage(410, '').slice(0, -30)],
  ])('shows as text a refusal that has %s', async (_what, text) => {
    for (const html of await thrownText(text, { status: 410 })) expect(html).not.toContain('<');
  });
});
