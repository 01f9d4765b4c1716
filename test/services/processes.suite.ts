import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';

import { systemClock } from '../../lib/core/time/clock.js';
import { Session } from '../../lib/sessions/session.js';
import { ProgramFile, askAll } from './program.js';
import type { Program } from './program.js';
import { startServer, stopServer } from './servers.js';
import { addressOf, sourceOf } from './storage.engine.js';
import type { StorageEngine, StoragePlace } from './storage.engine.js';
import type { StorageCommands } from './storage.program.js';

// On a busy machine six processes take their time to start.
jest.setTimeout(120_000);

/** What differs between the engines. */
export interface EngineTraits<Place extends StoragePlace> {
  /** Writes sessions as official storages of some version have left them; by title. */
  readonly layouts: Readonly<
    Record<string, (place: Place, sessions: readonly Session[]) => Promise<unknown>>
  >;
  /** Expects that all that migrations make is there, once. */
  readonly checkMigrations: (place: Place, sessions: readonly Session[]) => Promise<void>;
  /** What a process has to do last, so that it ends by itself. */
  readonly endsAfter: 'nothing' | 'closing its storage';
}

const SHOPS = ['one.myshopify.com', 'two.myshopify.com'];
/** Of users and of shops. All versions could keep what is in them. */
const OFFICIAL_SESSIONS = Array.from({ length: 300 }, (_, index) => {
  const shop = SHOPS[index % 2]!;
  const common = { shop, state: '', scope: 'read_products', accessToken: `access-${index}` };
  if (index % 3 > 0) return new Session({ ...common, id: `offline_${index}`, isOnline: false });
  return new Session({
    ...common,
    id: `${shop}_${index}`,
    isOnline: true,
    onlineAccessInfo: { associated_user: { id: index } },
  });
});

/**
 * Declares the tests of an engine whose storage several processes use at once, and whose server
 * goes away meanwhile.
 */
export function describeProcesses<Place extends StoragePlace>(
  engine: StorageEngine<Place>,
  traits: EngineTraits<Place>,
): void {
  let file: ProgramFile<StorageCommands>;
  let place: Place;

  beforeAll(async () => {
    file = await ProgramFile.build('test/services/storage.program.ts', sourceOf(engine));
  });
  afterAll(() => file.remove());
  beforeEach(async () => {
    place = await engine.createPlace();
  });
  afterEach(async () => {
    await file.kill();
    await place.drop();
  });

  const start = (): Program<StorageCommands> => file.start(addressOf(engine, place));

  /** Starts two processes and lets the first take a lock. */
  async function startHolder(
    leaseMs: number,
  ): Promise<{ holder: Program<StorageCommands>; next: Program<StorageCommands> }> {
    const [holder, next] = [start(), start()];
    await askAll([holder, next], 'ready');
    expect(await holder.ask('take', 'name', 'a', leaseMs)).toBe(true);
    return { holder, next };
  }

  async function takeEventually(program: Program<StorageCommands>): Promise<void> {
    while (!(await program.ask('take', 'name', 'b', 60_000))) await systemClock.sleep(20);
  }

  async function expectEnd(program: Program<StorageCommands>): Promise<void> {
    if (traits.endsAfter === 'closing its storage') await program.ask('close');
    expect(await program.end()).toEqual({ code: 0, errors: '' });
  }

  describe('six processes that start at once', () => {
    const empty = async (): Promise<void> => {};

    it.each([
      { title: 'an empty place', write: empty, official: [] },
      ...Object.entries(traits.layouts).map(([title, write]) => ({
        title,
        write,
        official: OFFICIAL_SESSIONS,
      })),
    ])(
      'are all ready on $title, lose no session, and are given each thing once',
      async ({ write, official }) => {
        await write(place, official);
        const [swapped, ...others] = official;
        const programs = Array.from({ length: 6 }, start);
        const begun = await Promise.all(
          programs.map((program, index) =>
            program.ask('begin', `own-${index}`, swapped?.toObject()),
          ),
        );
        const things = ['stored', 'name', 'record', 'delivery', 'session'] as const;
        const given = things.map((thing) => begun.filter((outcome) => outcome[thing]).length);
        expect(given).toEqual([6, 1, 1, 1, swapped ? 1 : 0]);

        const own = ['shared', ...programs.map((_, index) => `own-${index}`)];
        const expected = [
          ...others,
          ...own.map(
            (id) =>
              new Session({
                id,
                shop: SHOPS[0]!,
                state: '',
                isOnline: false,
                accessToken: 'access',
              }),
          ),
          ...(swapped ? [new Session({ ...swapped, accessToken: 'renewed' })] : []),
        ];
        expect(await askAll(programs, 'load', expected[0]!.id)).toEqual(
          Array(6).fill(expected[0]!.toObject()),
        );

        const storage = place.open();
        const found = (
          await Promise.all(SHOPS.map((shop) => storage.findSessionsByShop(shop)))
        ).flat();
        expect(inOrder(found)).toEqual(inOrder(expected));
        await traits.checkMigrations(place, expected);

        await askAll(programs, 'close');
        expect(await Promise.all(programs.map((program) => program.end()))).toEqual(
          Array(6).fill({ code: 0, errors: '' }),
        );
      },
    );
  });

  describe('a lock shared by processes', () => {
    it('lets one at a time do its work', async () => {
      await askAll([start(), start(), start(), start()], 'count', 'counted', 10);
      expect((await place.open().loadSession('counted'))?.state).toBe('40');
    });

    it('passes to the next when its holder is killed', async () => {
      const { holder, next } = await startHolder(3_000);
      expect(await next.ask('take', 'name', 'b', 60_000)).toBe(false);
      await holder.kill();
      await takeEventually(next);
      expect(await next.ask('renew', 'name', 'b', 60_000)).toBe(true);
    });

    it('is lost by a holder that stood still for longer than its lease, who is told so', async () => {
      const { holder, next } = await startHolder(60_000);
      expect(await holder.ask('renew', 'name', 'a', 2_000)).toBe(true);
      holder.signal('SIGSTOP');
      expect(await next.ask('take', 'name', 'b', 60_000)).toBe(false);
      await takeEventually(next);
      holder.signal('SIGCONT');
      expect(await holder.ask('renew', 'name', 'a', 60_000)).toBe(false);
      expect(await holder.ask('take', 'name', 'a', 60_000)).toBe(false);
    });
  });

  it('a process whose work is done ends by itself', async () => {
    const program = start();
    await program.ask('useMuch');
    expect(await program.ask('take', 'name', 'a', 3_600_000)).toBe(true);
    await expectEnd(program);
  });

  it('a server that is stopped and started under load makes calls fail with typed errors meanwhile, and is used again when it is back', async () => {
    const { holder, next } = await startHolder(3_600_000);
    await holder.ask('startLoad', 24);
    await holder.ask('until', 'good', 10);
    try {
      await stopServer(engine.server);
      await holder.ask('until', 'bad', 1);
      const late = place.open();
      await expect(late.ready).rejects.toMatchObject({ code: 'ERR_SESSION_STORAGE' });
      await startServer(engine.server);
      // The failure is not kept.
      expect(await late.loadSession('worker-0')).toMatchObject({ accessToken: 'access' });
      expect(await late.storeSession(OFFICIAL_SESSIONS[0]!)).toBe(true);
    } finally {
      await startServer(engine.server);
    }
    await holder.ask('until', 'good', 20);
    expect(await holder.ask('stopLoad')).toEqual(['ERR_SESSION_STORAGE']);
    expect(await holder.ask('renew', 'name', 'a', 60_000)).toBe(true);
    expect(await next.ask('take', 'name', 'b', 60_000)).toBe(false);
    await expectEnd(holder);
  });
}

function inOrder(sessions: readonly Session[]): unknown[] {
  return sessions
    .map((session) => session.toObject())
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
