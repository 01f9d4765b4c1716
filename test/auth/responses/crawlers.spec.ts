import { describe, expect, it } from '@jest/globals';

import { SHOP, createApp, inbound } from '../auth.fixture.js';

const AGENT = `Googlebot/2.1 ${'x'.repeat(200)}`;

describe('the start of a grant', () => {
  it('is denied to a crawler, and the log has the first 100 characters of its name', async () => {
    const { auth, lines } = createApp();
    const decision = await auth.begin(inbound(`/auth?shop=${SHOP}`, { 'user-agent': AGENT }));
    expect(decision).toMatchObject({ kind: 'denied', status: 410, reason: 'crawler' });
    const line = lines.find((text) => text.includes('A crawler was denied'));
    expect(line).toContain(AGENT.slice(0, 100));
    expect(line).not.toContain(AGENT.slice(0, 101));
  });

  it('of a request that names no shop is denied for the missing shop', async () => {
    const decision = await createApp().auth.begin(inbound('/auth', { 'user-agent': AGENT }));
    expect(decision).toMatchObject({ kind: 'denied', status: 400 });
  });
});
