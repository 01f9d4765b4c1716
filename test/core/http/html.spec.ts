import { describe, expect, it } from '@jest/globals';

import { html as page } from '../../../lib/core/http/html.js';
import { html as storePage } from '../../../lib/dev-store/http/page-html.js';

describe('a template of HTML', () => {
  it.each([
    ['of the toolkit', (value: string): string => page`<a title="${value}">${1}</a>`],
    [
      'of the simulated store',
      (value: string): string => storePage`<a title="${value}">${1}</a>`.text,
    ],
  ])('%s escapes every character that could end a text or an attribute', (_whose, render) => {
    expect(render(`"><b>'a' & b</b>`)).toBe(
      '<a title="&quot;&gt;&lt;b&gt;&#39;a&#39; &amp; b&lt;/b&gt;">1</a>',
    );
  });
});
