import { describe, expect, it } from '@jest/globals';

import { recordId } from '../../../lib/sessions/coordination/coordination-stores.js';

describe('recordId', () => {
  it('is the JSON of short visible texts, so that two lists never have one id', () => {
    expect(recordId('app', 'shop.myshopify.com')).toBe('["app","shop.myshopify.com"]');
    expect(recordId('a', 'b,c')).not.toBe(recordId('a,b', 'c'));
    expect(recordId('a","b')).not.toBe(recordId('a', 'b'));
  });

  it('is a digest of texts that an engine might cut off, or compare inexactly', () => {
    // printf '["ü"]' | openssl dgst -sha256 -binary | base64, with - and _
    expect(recordId('ü')).toBe('JUMOeshJtpJYhstpH9zFttzCS_a2SxqAsIv5KOscJwM');
    for (const text of ['x'.repeat(187), 'a b', 'a ', 'é', '\u{1F600}'])
      expect(recordId(text)).toMatch(/^[\w-]{43}$/);
    expect(recordId('a ')).not.toBe(recordId('a'));
  });

  it('has 190 characters at most', () => {
    expect(recordId('x'.repeat(186))).toBe(`["${'x'.repeat(186)}"]`);
    expect(recordId('x'.repeat(187))).not.toBe(recordId('x'.repeat(188)));
  });
});
