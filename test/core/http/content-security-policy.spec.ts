import { describe, expect, it } from '@jest/globals';

import { withFrameAncestors } from '../../../lib/core/http/content-security-policy.js';

const OURS = 'frame-ancestors https://a.myshopify.com;';

describe('withFrameAncestors', () => {
  it.each([
    [undefined, OURS],
    [null, OURS],
    ['', OURS],
    ["default-src 'self'", `default-src 'self', ${OURS}`],
    ["frame-ancestors 'none'", OURS],
    ["default-src 'self'; Frame-Ancestors 'none'; img-src *", `default-src 'self'; img-src *, ${OURS}`],
    ["frame-ancestors *, default-src 'self'; frame-ancestors 'self'", `default-src 'self', ${OURS}`],
    ['frame-src https://a.example.com', `frame-src https://a.example.com, ${OURS}`],
  ])('turns %j into %j', (existing, policy) => {
    expect(withFrameAncestors(existing, OURS)).toBe(policy);
  });
});
