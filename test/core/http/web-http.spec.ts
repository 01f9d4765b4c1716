import { describe, expect, it } from '@jest/globals';

import { resolveConfig } from '../../../lib/core/config/platform.config.js';
import { BodyTooLargeError, RawBodyUnavailableError } from '../../../lib/core/core.errors.js';
import { webRequest, webResponse } from '../../../lib/core/http/web-http.js';
import { APP_URL, appOptions } from '../../support/app.js';

const config = resolveConfig(appOptions({ webhookBodyLimit: 10 }));
const post = (body: BodyInit | null): Request => new Request('http://internal:3000/webhooks?a=1', { method: 'POST', body });

describe('webRequest', () => {
  it('shows method, URL on the origin of the app, headers and body', async () => {
    const request = webRequest(
      new Request('http://proxy.internal/x?y=1', { method: 'PUT', headers: { 'X-Name': 'v' }, body: 'text' }),
      config,
    );
    expect([request.method, request.url.href]).toEqual(['PUT', `${APP_URL}/x?y=1`]);
    expect([request.header('x-name'), request.header('X-NAME'), request.header('absent')]).toEqual(['v', 'v', undefined]);
    expect((await request.rawBody()).toString()).toBe('text');
  });

  it('gives the bytes as they were sent, each time it is asked', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x00]);
    const request = webRequest(post(bytes), config);
    expect([await request.rawBody(), await request.rawBody()]).toEqual([bytes, bytes]);
  });

  it('gives an empty body when there is none', async () => {
    expect(await webRequest(post(null), config).rawBody()).toEqual(Buffer.alloc(0));
  });

  it('leaves the body to the app when it is not asked for', async () => {
    const request = post('text');
    webRequest(request, config);
    expect(await request.text()).toBe('text');
  });

  it('refuses a body beyond the limit and stops reading it', async () => {
    let cancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.from('1234')),
      cancel: () => void (cancelled = true),
    });
    const request = new Request('http://a/', { method: 'POST', body: endless, duplex: 'half' } as RequestInit);
    await expect(webRequest(request, config).rawBody()).rejects.toBeInstanceOf(BodyTooLargeError);
    expect(cancelled).toBe(true);
    expect((await webRequest(post('x'.repeat(10)), config).rawBody()).length).toBe(10);
  });

  it('refuses a body that somebody has read, and names the fix', async () => {
    const request = post('text');
    await request.text();
    const reading = webRequest(request, config).rawBody();
    await expect(reading).rejects.toBeInstanceOf(RawBodyUnavailableError);
    await expect(reading).rejects.toThrow('Authenticate the webhook first');
  });

  it('tells of a body that breaks off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    const request = new Request('http://a/', { method: 'POST', body: broken, duplex: 'half' } as RequestInit);
    await expect(webRequest(request, config).rawBody()).rejects.toBeInstanceOf(RawBodyUnavailableError);
  });
});

describe('webResponse', () => {
  it('carries status, body and every cookie', async () => {
    const response = webResponse({
      status: 302,
      headers: [
        ['location', '/there'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
      body: 'moved',
    });
    expect([response.status, response.headers.get('location'), await response.text()]).toEqual([302, '/there', 'moved']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('takes a status that allows no body', () => {
    expect(webResponse({ status: 204, headers: [], body: '' }).body).toBeNull();
  });
});
