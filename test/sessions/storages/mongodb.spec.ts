import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { MissingRequiredArgument } from '../../../lib/core/core.errors.js';
import { SessionStorageError } from '../../../lib/sessions/sessions.errors.js';
import { MongoDBSessionStorage } from '../../../lib/sessions/storages/mongodb/mongodb-session.storage.js';
import { FastClock } from './fast.clock.js';

const PATIENCE = 'serverSelectionTimeoutMS=200&connectTimeoutMS=200';
const storages: MongoDBSessionStorage[] = [];
const ends: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const storage of storages.splice(0)) await storage.close();
  for (const end of ends.splice(0)) await end();
});

function track(storage: MongoDBSessionStorage): MongoDBSessionStorage {
  storages.push(storage);
  return storage;
}

/** A server that does with each connection as it is told; answers its host and port. */
async function listen(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(storage: MongoDBSessionStorage): Promise<Error> {
  return track(storage)
    .loadSession('id')
    .then(
      () => {
        throw new Error('It was expected to fail.');
      },
      (error: Error) => error,
    );
}

describe('MongoDBSessionStorage without a server', () => {
  it.each<readonly [unknown, unknown]>([
    ['', 'app'],
    ['mongodb://', 'app'],
    ['postgres://user:hidden@localhost/', 'app'],
    [new URL('https://user:hidden@localhost/'), 'app'],
    [undefined, 'app'],
    [{}, 'app'],
    ['mongodb://localhost/', ''],
    ['mongodb://localhost/', undefined],
  ])('refuses the server %p with the database %p', (server, database) => {
    const create = (): unknown => new MongoDBSessionStorage(server as string, database as string);
    expect(create).toThrow(MissingRequiredArgument);
    expect(create).not.toThrow(/hidden/);
  });

  it.each([
    ['refuses connections', 'closed'],
    ['hangs up', 'hangs up'],
    ['says nothing', 'silent'],
  ])('fails with a typed error, soon, when the server %s', async (_, kind) => {
    const host = await listen((socket) =>
      kind === 'hangs up' ? socket.destroy() : socket.resume(),
    );
    if (kind === 'closed') await ends.pop()!();
    const error = await failureOf(
      new MongoDBSessionStorage(`mongodb://us%40er:hid%2Fden@${host}/admin?${PATIENCE}`, 'app'),
    );
    expect(error).toBeInstanceOf(SessionStorageError);
    expect(error.message).toContain(`MongoDB (${host}, database app) could not be reached: `);
    expect(`${error.message} ${String(error.cause)}`).not.toMatch(/hid|us%40er|us@er/);
  });

  it('takes several hosts, which no URL object could hold', async () => {
    const hosts = [
      await listen((socket) => socket.destroy()),
      await listen((socket) => socket.destroy()),
    ].join(',');
    expect(
      (await failureOf(new MongoDBSessionStorage(`mongodb://${hosts}/?${PATIENCE}`, 'app')))
        .message,
    ).toContain(`(${hosts}, database app)`);
  });

  it('reaches the host it is given with credentials of any characters', async () => {
    let isReached: (reached: boolean) => void;
    const reached = new Promise<boolean>((resolve) => (isReached = resolve));
    const host = await listen((socket) => {
      isReached(true);
      socket.destroy();
    });
    const clientOptions = { serverSelectionTimeoutMS: 200 };
    const error = await failureOf(
      MongoDBSessionStorage.withCredentials(host, 'app', 'us/er:@', 'hid?den#@/', {
        clientOptions,
      }),
    );
    expect(error.message).not.toMatch(/hid|us\/er/);
    await expect(reached).resolves.toBe(true);
  });

  it('says what is wrong with an option of the URL, and repeats no credentials', async () => {
    const error = await failureOf(
      new MongoDBSessionStorage('mongodb://user:hidden@localhost/?tls=perhaps', 'app'),
    );
    expect(error).toBeInstanceOf(SessionStorageError);
    expect(error.message).toMatch(/tls/);
    expect(error.message).not.toMatch(/hidden/);
  });

  it('is closed after five seconds at most, whatever is under way', async () => {
    const host = await listen((socket) => socket.resume());
    const storage = track(
      new MongoDBSessionStorage(`mongodb://${host}/?serverSelectionTimeoutMS=2000`, 'app', {
        clock: new FastClock(),
      }),
    );
    const events: string[] = [];
    const load = storage.loadSession('id').catch(() => events.push('given up'));
    await storage.close();
    events.push('closed');
    await load;
    expect(events).toEqual(['closed', 'given up']);
  });

  it('does not wait for a connection that was never opened when it is closed', async () => {
    const storage = new MongoDBSessionStorage('mongodb://127.0.0.1:1/', 'app');
    await storage.close();
    await expect(storage.disconnect()).resolves.toBeUndefined();
  });
});
