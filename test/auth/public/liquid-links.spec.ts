import { describe, expect, it } from '@jest/globals';

import { withSlashedPaths } from '../../../lib/auth/public/liquid-links.js';
import { superLinearAt } from '../../support/growth.js';

const REWRITTEN: readonly (readonly [before: string, after: string])[] = [
  ['<a href="/foo">', '<a href="/foo/">'],
  ['<a href="/foo?bar=baz">', '<a href="/foo/?bar=baz">'],
  ['<a href="/foo#part">', '<a href="/foo/#part">'],
  ['<a href="/foo?a=/b#c?d">', '<a href="/foo/?a=/b#c?d">'],
  ['<form action="/foo">', '<form action="/foo/">'],
  ['<form action="/foo?bar=baz">', '<form action="/foo/?bar=baz">'],
  ['<form method="post" action="/a/b" class="c">', '<form method="post" action="/a/b/" class="c">'],
  ["<a class='x' href='/foo'>", "<a class='x' href='/foo/'>"],
  ["<a href='/say\"so'>", "<a href='/say\"so/'>"],
  ['<a href=/foo>', '<a href=/foo/>'],
  ['<a href = "/foo" >', '<a href = "/foo/" >'],
  ['<A HREF="/foo">', '<A HREF="/foo/">'],
  ['<a\n  href="/foo"\n>', '<a\n  href="/foo/"\n>'],
  ['<a/href="/foo">', '<a/href="/foo/">'],
  ['<a title="1 > 0" href="/foo">', '<a title="1 > 0" href="/foo/">'],
  ['<a title="<a href=" href="/foo">', '<a title="<a href=" href="/foo/">'],
  ['<a href="/foo" href="/bar">', '<a href="/foo/" href="/bar">'],
  ['<a href="/v1.2">', '<a href="/v1.2/">'],
  ['<a href="/caf&eacute;?x">', '<a href="/caf&eacute;/?x">'],
  ['<a href="/a&amp;b">', '<a href="/a&amp;b/">'],
  ['1 < 2 <a href="/foo">', '1 < 2 <a href="/foo/">'],
  ['<script>1</script><a href="/foo">', '<script>1</script><a href="/foo/">'],
  ['<!--><a href="/foo">', '<!--><a href="/foo/">'],
  ['<!-- a --><a href="/foo">', '<!-- a --><a href="/foo/">'],
  // Liquid is rendered before anything reads the page as HTML.
  ['<a href="/p/{{ product.handle }}">', '<a href="/p/{{ product.handle }}/">'],
  ['<a href="/p/{{ a | append: "?" }}?x">', '<a href="/p/{{ a | append: "?" }}/?x">'],
  [
    '<a {% if a > b %}class="c"{% endif %} href="/foo">',
    '<a {% if a > b %}class="c"{% endif %} href="/foo/">',
  ],
  ['{% if a <b %}<a href="/foo">{% endif %}', '{% if a <b %}<a href="/foo/">{% endif %}'],
  ['{{ <a href="/foo">', '{{ <a href="/foo/">'],
];

const KEPT: readonly string[] = [
  '<a href="/foo/">',
  '<a href="/foo/?bar=baz">',
  '<a href="/">',
  '<a href="/?q=1">',
  '<a href="/#top">',
  '<a href="">',
  '<a href>',
  '<a href=>',
  '<a href="https://example.com/foo">',
  '<a href="//example.com/foo">',
  '<a href="/\\example.com/foo">',
  '<a href="/\t/example.com">',
  '<a href="foo">',
  '<a href="./foo">',
  '<a href="?page=2">',
  '<a href="#part">',
  '<a href="mailto:a@example.com">',
  '<a href="javascript:go()">',
  '<a href="/file.pdf">',
  '<a href="/file.PDF?download">',
  '<a href="/song.mp3#t=3">',
  '<a href="/a&#47;b">',
  '<a href="{{ product.url }}">',
  '<a href="/foo{% if x %}?a=b{% endif %}">',
  '<a data-href="/foo">',
  '<a xlink:href="/foo">',
  '<a action="/foo">',
  '<form href="/foo">',
  '<area href="/foo">',
  '<link href="/foo">',
  '<base href="/foo">',
  '<abbr href="/foo">',
  '<form-x action="/foo">',
  '<button formaction="/foo">',
  '<img src="/foo">',
  '</a href="/foo">',
  '<a title="href=/foo">',
  '<a title="<a href="/foo">',
  'a href="/foo"',
  '&lt;a href="/foo"&gt;',
  '< a href="/foo">',
  '<!-- <a href="/foo"> -->',
  '<!-- <a href="/foo">',
  '<!DOCTYPE a href="/foo">',
  '<? <a href="/foo" ?>',
  '<script>"<a href=\'/foo\'>"</script>',
  '<SCRIPT type="module">`<a href="/foo">`</SCRIPT>',
  '<script><a href="/foo"></scripts>',
  '<style>/* <a href="/foo"> */</style>',
  '<textarea><a href="/foo"></textarea>',
  '<title><a href="/foo"></title>',
  '<plaintext><a href="/foo">',
  '{{ \'<a href="/foo">\' }}',
  '<a href="/foo',
];

describe('the paths of a page of an app proxy', () => {
  it.each(REWRITTEN)('end with a slash: %s', (before, after) => {
    expect(withSlashedPaths(before)).toBe(after);
    expect(withSlashedPaths(`<p>${before}</p>\n${before}`)).toBe(`<p>${after}</p>\n${after}`);
  });

  it.each(KEPT)('stay as they are in %s', (template) => {
    expect(withSlashedPaths(template)).toBe(template);
  });

  it('end with one slash, however often the page is made', () => {
    for (const [, after] of REWRITTEN) expect(withSlashedPaths(after)).toBe(after);
  });

  it.each([
    '<',
    '<a ',
    '<a href="',
    '<a href="/{{',
    '<a href="/a{{ x }}',
    '<a href=/',
    '<a a=',
    '</a ',
    '<!--',
    '<!',
    '{{',
    '{%',
    '{{{%',
    '<script>',
    '<script></scrip',
    '<a href="/a">',
    ' ',
    '<a{{',
    '<a {% ',
    '<a a     ',
    '/',
  ])('are found in linear time in a page of %s', (piece) => {
    const page = (size: number): string => withSlashedPaths(piece.repeat(size));
    expect(superLinearAt(page, 60_000)).toBeUndefined();
    expect(
      superLinearAt((size) => withSlashedPaths(`<a href="/${piece.repeat(size)}">`), 60_000),
    ).toBeUndefined();
  });
});
