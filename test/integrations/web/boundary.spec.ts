import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createElement, isValidElement } from 'react';
import type { ReactElement } from 'react';
import { renderToString } from 'react-dom/server';
import { isRouteErrorResponse, UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from 'react-router';
import { markedStatusText } from '../../../lib/core/http/page-mark.js';
import { MissingReactError, boundary } from '../../../lib/integrations/remix/index.js';
import { boundary as browserBoundary } from '../../../lib/integrations/remix/browser.js';
import { APP_REACT } from '../../../lib/integrations/web/react-registration.js';
import { inDocument } from './document.fixture.js';

const page = (html: string): unknown =>
  createElement('div', { dangerouslySetInnerHTML: { __html: html } });

/** The class of Remix 2 has this name. */
class ErrorResponse {
  constructor(readonly data?: unknown) {}
}

describe.each([
  ['on a server', boundary],
  ['in a browser', browserBoundary],
])('boundary %s', (_where, { error, headers }) => {
  it.each([
    ['Remix', new ErrorResponse()],
    ['React Router', new ErrorResponseImpl(200, 'OK', '')],
  ])('makes an element of a response without a page, of %s', (_router, response) => {
    expect(error(response)).toEqual(page('Handling response'));
  });

  it('makes an element that is valid for the React of the app', () => {
    expect(isValidElement(error(new ErrorResponse()))).toBe(true);
  });

  it('leaves out what a page may say only when it stands alone', () => {
    const policy = `<meta http-equiv="content-security-policy" content="script-src 'none'" />`;
    const html = `<!doctype html><head>${policy}<title>Loading</title></head>`;
    const response = new ErrorResponseImpl(200, markedStatusText('OK', html), html);
    const rendered = renderToString(boundary.error(response) as ReactElement);
    expect(inDocument(rendered, () => error(response))).toEqual(
      createElement('div', {
        'data-shopwright-page': response.statusText,
        dangerouslySetInnerHTML: { __html: '<!doctype html><head><title>Loading</title></head>' },
      } as object),
    );
  });

  it('shows what it does not know as text', () => {
    const html = '<!doctype html><p>';
    expect(error(new ErrorResponse(html))).toEqual(page('&lt;!doctype html&gt;&lt;p&gt;'));
    expect(error(new ErrorResponse('No product "<img onerror=alert(1)>"'))).toEqual(
      page('No product "&lt;img onerror=alert(1)&gt;"'),
    );
    expect(error(new ErrorResponse({ message: 'A & B' }))).toEqual(page('{"message":"A &amp; B"}'));
    expect(error(new ErrorResponse(404))).toEqual(page('404'));
  });

  it('knows a response whose class was renamed in a bundle', () => {
    const response = Object.assign(Object.create(class a {}.prototype), {
      ...{ status: 410, statusText: 'Gone', internal: false, data: 'Gone' },
    });
    expect(isRouteErrorResponse(response)).toBe(true);
    expect(error(response)).toEqual(page('Gone'));
  });

  it.each([new Error('defect'), null, undefined, 'text', { status: 404 }, new Response()])(
    'rethrows %p for the boundary above',
    (thrown) => {
      let caught: unknown = 'nothing';
      try {
        error(thrown);
      } catch (rethrown) {
        caught = rethrown;
      }
      expect(caught).toBe(thrown);
    },
  );

  it('sends the headers of a response that was thrown, and no others', () => {
    const errorHeaders = new Headers({ 'x-name': 'error' });
    const others = new Headers({ 'x-name': 'other', 'x-other': '1' });
    const all = { parentHeaders: others, loaderHeaders: others, actionHeaders: others };
    expect([...headers({ ...all, errorHeaders })]).toEqual([['x-name', 'error']]);
  });

  it('joins the headers of parent, loader and action, in this order', () => {
    const merged = headers({
      errorHeaders: new Headers(),
      parentHeaders: new Headers({ 'x-name': 'parent' }),
      loaderHeaders: new Headers({ 'x-name': 'loader' }),
      actionHeaders: new Headers({ 'x-name': 'action', 'x-own': '1' }),
    });
    expect([...merged]).toEqual([
      ['x-name', 'parent, loader, action'],
      ['x-own', '1'],
    ]);
  });

  it('keeps cookies apart', () => {
    const cookies = (...values: string[]): Headers =>
      new Headers(values.map((value): [string, string] => ['set-cookie', value]));
    const merged = headers({ parentHeaders: cookies('a=1', 'b=2'), loaderHeaders: cookies('c=3') });
    expect(merged.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3']);
  });

  it('has no headers where no route has any', () => {
    expect([...headers({})]).toEqual([]);
  });
});

describe('the React of the boundary on a server', () => {
  const cwd = process.cwd();
  const [, program] = process.argv;

  afterEach(() => {
    process.chdir(cwd);
    process.argv[1] = program!;
    Reflect.deleteProperty(globalThis, APP_REACT);
  });

  it('is the one that the components run with', () => {
    const element = createElement('p');
    Reflect.set(globalThis, APP_REACT, () => element);
    expect(boundary.error(new ErrorResponse())).toBe(element);
  });

  it('is that of the program where the process runs elsewhere, and asked for when it is missing', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'shopwright-no-react-'));
    process.chdir(elsewhere);
    process.argv[1] = join(cwd, 'server.js');
    expect(boundary.error(new ErrorResponse())).toEqual(page('Handling response'));
    process.argv[1] = join(elsewhere, 'server.js');
    expect(() => boundary.error(new ErrorResponse())).toThrow(MissingReactError);
    process.chdir(cwd);
    rmSync(elsewhere, { recursive: true });
  });
});
