import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createClient } from 'redis';

import { RedisSessionStorage } from '../../../lib/sessions/storages/redis/redis-session.storage.js';
import { ManualClock } from '../../support/manual.clock.js';

describe('RedisSessionStorage without a Redis', () => {
  let server: Server;
  let sockets: Socket[];
  let url: string;
  let answer: string | undefined;

  beforeEach(async () => {
    sockets = [];
    answer = undefined;
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', () => answer !== undefined && socket.write(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `redis://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}/3`;
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  it('refuses what is neither a URL nor a client, and says nothing of what it was given', () => {
    for (const wrong of ['', 'localhost:6379', 'http://user:secret@localhost', undefined, {}]) {
      expect(() => new RedisSessionStorage(wrong as never)).toThrow(/^(?!.*secret).*needs a URL/);
    }
  });

  it('refuses options of the driver beside a client', () => {
    const client = createClient({ url });
    expect(() => new RedisSessionStorage(client, { name: 'mine' })).toThrow(
      /"name" belongs in createClient/,
    );
    expect(
      () => new RedisSessionStorage(client, { sessionKeyPrefix: 'mine', onError: () => {} }),
    ).not.toThrow();
  });

  it('fails with a typed error that names the place and no credentials when nobody listens', async () => {
    await new Promise((resolve) => server.close(resolve));
    const errors: Error[] = [];
    const storage = new RedisSessionStorage(url, { onError: (error) => errors.push(error) });
    const { lock } = storage.companions;
    for (const call of [
      () => storage.ready,
      () => storage.loadSession('id'),
      () => storage.verify(),
      () => lock.take('name', 'holder', 1),
    ]) {
      await expect(call()).rejects.toMatchObject({
        code: 'ERR_SESSION_STORAGE',
        message: expect.stringMatching(
          /^Redis at 127\.0\.0\.1:\d+\/3 could not be reached: connect ECONNREFUSED/,
        ) as unknown,
      });
    }
    expect(errors.length).toBeGreaterThan(0);
    await storage.close();
    server.listen(0, '127.0.0.1');
  });

  it('does not wait for ever for a server that accepts and says nothing', async () => {
    const storage = new RedisSessionStorage(url, { clock: new ManualClock() });
    await expect(storage.loadSession('id')).rejects.toThrow(
      /could not be reached: no answer within 5000 ms/,
    );
    await storage.close();
  });

  it('repeats nothing of what it sent when the server does', async () => {
    answer = "-ERR unknown command 'AUTH', with args beginning with: 'secret'\r\n";
    const storage = new RedisSessionStorage(url);
    await expect(storage.loadSession('id')).rejects.toThrow(/could not be reached: ERR\.$/);
    await storage.close();
  });

  it('gives up on a client of the app that is looking for its server, and lets it look on', async () => {
    const client = createClient({ url });
    client.on('error', () => {});
    client.connect().catch(() => {});
    const storage = new RedisSessionStorage(client, { clock: new ManualClock() });
    await expect(storage.loadSession('id')).rejects.toMatchObject({ code: 'ERR_SESSION_STORAGE' });
    await storage.close();
    expect(client.isOpen).toBe(true);
    client.destroy();
  });
});
