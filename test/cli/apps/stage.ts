import { MemorySessionStorage } from '../../../lib/sessions/storages/memory/memory-session.storage.js';

/** What the apps of these tests share with the test that has them loaded. */
export const stage = {
  storage: new MemorySessionStorage(),
  shopOrigin: (_shop: string): string => '',
  closed: 0,
  /** Of the server of a queue. */
  port: 0,
};
