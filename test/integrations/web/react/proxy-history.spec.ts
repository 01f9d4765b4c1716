import { describe, expect, it } from '@jest/globals';

import { nameHistoryByPage } from '../../../../lib/integrations/web/react/proxy-history.js';

const PAGE = 'https://shop.example/apps/reviews/?page=2';

/** A history that resolves by a `<base>` of the app, as browsers do, and notes its entries. */
class HistoryBesideBase {
  readonly entries: unknown[] = [];

  pushState(state: unknown, _unused: string, url?: string | URL | null): void {
    this.#write('push', state, url);
  }

  replaceState(state: unknown, _unused: string, url?: string | URL | null): void {
    this.#write('replace', state, url);
  }

  #write(kind: string, state: unknown, url: string | URL | null | undefined): void {
    const { origin, href } = new URL(url ?? PAGE, 'https://app.example');
    if (origin !== 'https://shop.example') throw new Error(`SecurityError: ${href}`);
    this.entries.push([kind, state, href]);
  }
}

describe('The history of a page below an app proxy', () => {
  it('takes the paths of a router for addresses of the storefront', () => {
    const history = new HistoryBesideBase();
    expect(() => history.pushState(1, '', '/apps/reviews/')).toThrow('SecurityError');
    nameHistoryByPage({ history, location: { href: PAGE } });
    history.pushState(1, '', '/apps/reviews/best/');
    history.replaceState(2, '', '?page=3');
    history.replaceState(3, '', new URL('https://shop.example/cart'));
    history.replaceState(4, '');
    history.replaceState(5, '', null);
    expect(history.entries).toEqual([
      ['push', 1, 'https://shop.example/apps/reviews/best/'],
      ['replace', 2, 'https://shop.example/apps/reviews/?page=3'],
      ['replace', 3, 'https://shop.example/cart'],
      ['replace', 4, PAGE],
      ['replace', 5, PAGE],
    ]);
  });

  it('still refuses addresses of other origins', () => {
    const history = new HistoryBesideBase();
    nameHistoryByPage({ history, location: { href: PAGE } });
    expect(() => history.pushState(1, '', 'https://app.example/')).toThrow('SecurityError');
  });

  it('is what it was when the page is left, unless somebody else has wrapped it since', () => {
    const history = new HistoryBesideBase();
    const { pushState, replaceState } = history;
    const leave = nameHistoryByPage({ history, location: { href: PAGE } });
    const watched: typeof replaceState = () => {};
    history.replaceState = watched;
    leave();
    expect(history.pushState).toBe(pushState);
    expect(history.replaceState).not.toBe(replaceState);
    expect(history.replaceState).toBe(watched);
  });
});
