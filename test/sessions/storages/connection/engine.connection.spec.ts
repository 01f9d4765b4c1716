import { describe, expect, it } from '@jest/globals';

import { SessionStorageError } from '../../../../lib/sessions/sessions.errors.js';
import { EngineConnection } from '../../../../lib/sessions/storages/connection/engine.connection.js';
import type { Reached } from '../../../../lib/sessions/storages/connection/engine.connection.js';
import { JumpingClock } from '../../../webhooks/webhooks.fixture.js';

const nextTurn = (): Promise<void> => new Promise(setImmediate);

/** Engines that are numbered as they are reached, when a test says so. */
class Engines extends EngineConnection<number, string> {
  readonly reaches: { arrive(): void; fail(error: Error): void }[] = [];
  readonly closed: string[] = [];
  readonly lost = new Set<number>();
  /** What closing an engine waits for. */
  closing: (callsOver: Promise<void>) => Promise<unknown> = async () => {};
  prepares = async (server: number): Promise<string> => `engine ${server}`;

  constructor(readonly jumping = new JumpingClock()) {
    super({
      clock: jumping,
      reach: () => this.reach(),
      prepare: (server) => this.prepares(server),
      errorFor: (what, cause) =>
        new SessionStorageError(`It could not ${what}: ${(cause as Error).message}.`),
    });
  }

  private reach(): Promise<Reached<number>> {
    return new Promise((resolve, reject) => {
      const server = this.reaches.length + 1;
      const close = (callsOver: Promise<void>): Promise<unknown> => {
        this.closed.push(`engine ${server}`);
        return this.closing(callsOver);
      };
      const arrive = (): void => resolve({ server, close, isLost: () => this.lost.has(server) });
      this.reaches.push({ arrive, fail: reject });
    });
  }
}

const ask = (engines: Engines): Promise<string> => engines.run('answer', (engine) => engine);

/** A call that ends when it is told to. */
function call(engines: Engines): { end(): void; readonly over: Promise<string> } {
  let end = (): void => {};
  const over = engines.run(
    'answer',
    (engine) => new Promise<string>((resolve) => (end = () => resolve(engine))),
  );
  return { end: () => end(), over };
}

/** Notes when it is closed, and how. */
function closing(engines: Engines): string[] {
  const events: string[] = [];
  engines.close().then(
    () => events.push('closed'),
    ({ message }: Error) => events.push(message),
  );
  return events;
}

async function opened(): Promise<Engines> {
  const engines = new Engines();
  const open = engines.open();
  engines.reaches[0]!.arrive();
  await open;
  return engines;
}

describe('EngineConnection', () => {
  it('reaches its engine once for all calls, and again after a failure', async () => {
    const engines = new Engines();
    const calls = [ask(engines), ask(engines)];
    engines.reaches[0]!.fail(new Error('away'));
    for (const one of calls) await expect(one).rejects.toThrow('It could not be prepared: away.');
    const again = [ask(engines), ask(engines)];
    engines.reaches[1]!.arrive();
    expect(await Promise.all(again)).toEqual(['engine 2', 'engine 2']);
    expect(engines.current).toBe('engine 2');
    expect(engines.reaches).toHaveLength(2);
  });

  it('closes an engine that could not be prepared, and tries again', async () => {
    const engines = new Engines();
    engines.prepares = () => Promise.reject(new Error('no rights'));
    const failed = ask(engines);
    engines.reaches[0]!.arrive();
    await expect(failed).rejects.toThrow('It could not be prepared: no rights.');
    expect(engines.closed).toEqual(['engine 1']);
    engines.prepares = async () => 'prepared';
    const again = ask(engines);
    engines.reaches[1]!.arrive();
    expect(await again).toBe('prepared');
  });

  it.each<[string, () => Promise<unknown>]>([
    ['fails', () => Promise.reject(new Error('not closed'))],
    ['never ends', () => new Promise(() => {})],
  ])('says why an engine could not be prepared when closing it %s', async (_, closes) => {
    const engines = new Engines();
    engines.prepares = () => Promise.reject(new Error('no rights'));
    engines.closing = closes;
    const failed = ask(engines).catch((error: Error) => error.message);
    engines.reaches[0]!.arrive();
    await nextTurn();
    engines.jumping.advance(5_000);
    expect(await failed).toBe('It could not be prepared: no rights.');
    expect(engines.jumping.alarms).toBe(0);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['fails', () => Promise.reject(new Error('not closed'))],
    ['never ends', () => new Promise(() => {})],
  ])('is inspected though closing what was reached for it %s', async (_, closes) => {
    const engines = new Engines();
    engines.closing = closes;
    const inspected = engines.inspect('be verified', async (server) => server);
    const failed = engines
      .inspect('be verified', () => Promise.reject(new Error('no rights')))
      .catch((error: Error) => error.message);
    for (const { arrive } of engines.reaches) arrive();
    await nextTurn();
    engines.jumping.advance(5_000);
    expect(await inspected).toBe(1);
    expect(await failed).toBe('It could not be verified: no rights.');
  });

  it('says what could not be done, unless the reason is told already', async () => {
    const engines = await opened();
    const failing = (error: Error): Promise<never> =>
      engines.run('answer', () => Promise.reject(error));
    await expect(failing(new Error('no'))).rejects.toThrow('It could not answer: no.');
    await expect(failing(new SessionStorageError('told'))).rejects.toThrow(/^told$/);
  });

  it('reaches an engine anew that is lost', async () => {
    const engines = await opened();
    engines.lost.add(1);
    const calls = ask(engines);
    engines.reaches[1]!.arrive();
    expect(await calls).toBe('engine 2');
  });

  it('is inspected over the engine that is open, else over one of its own, which it closes', async () => {
    const engines = new Engines();
    const inspect = (): Promise<number> => engines.inspect('be verified', async (server) => server);
    const alone = inspect();
    engines.reaches[0]!.arrive();
    expect([await alone, engines.closed]).toEqual([1, ['engine 1']]);
    const open = engines.open();
    engines.reaches[1]!.arrive();
    await open;
    expect([await inspect(), engines.closed]).toEqual([2, ['engine 1']]);
  });
});

describe('EngineConnection, when it is closed', () => {
  it('waits for the calls in flight, then for what it lets go', async () => {
    const engines = await opened();
    let endRelease = (): void => {};
    engines.closing = () => new Promise<void>((resolve) => (endRelease = resolve));
    const inFlight = call(engines);
    const events = closing(engines);
    await nextTurn();
    expect([engines.closed, events]).toEqual([[], []]);
    inFlight.end();
    expect(await inFlight.over).toBe('engine 1');
    await nextTurn();
    expect([engines.closed, events]).toEqual([['engine 1'], []]);
    endRelease();
    await nextTurn();
    expect([events, engines.jumping.alarms]).toEqual([['closed'], 0]);
  });

  it('lets go after five seconds of what is still in flight, and says when that is over', async () => {
    const engines = await opened();
    const over: string[] = [];
    engines.closing = (callsOver) => callsOver.then(() => over.push('over'));
    const inFlight = call(engines);
    const events = closing(engines);
    engines.jumping.advance(4_999);
    await nextTurn();
    expect([engines.closed, events]).toEqual([[], []]);
    engines.jumping.advance(1);
    await nextTurn();
    expect([engines.closed, events, over]).toEqual([['engine 1'], ['closed'], []]);
    inFlight.end();
    await inFlight.over;
    await nextTurn();
    expect(over).toEqual(['over']);
  });

  it('waits five seconds for both together', async () => {
    const engines = await opened();
    engines.closing = () => new Promise(() => {});
    const events = closing(engines);
    engines.jumping.advance(4_999);
    await nextTurn();
    expect([engines.closed, events]).toEqual([['engine 1'], []]);
    engines.jumping.advance(1);
    await nextTurn();
    expect(events).toEqual(['closed']);
  });

  it('fails as the release does, and leaves no alarm behind', async () => {
    const engines = await opened();
    engines.closing = () => Promise.reject(new Error('not closed'));
    const events = closing(engines);
    await nextTurn();
    expect([events, engines.jumping.alarms]).toEqual([['not closed'], 0]);
    await engines.close();
  });

  it('does nothing when it was never opened', async () => {
    const engines = new Engines();
    await engines.close();
    expect([engines.reaches, engines.jumping.alarms]).toEqual([[], 0]);
  });

  // It let go whenever the call ended that had been waited for in vain, and took from later calls
  // what they had opened.
  it('leaves calls that come later an engine of their own, which they have for good', async () => {
    const engines = new Engines();
    const early = engines.open();
    const closed = engines.close();
    const late = ask(engines);
    engines.reaches[1]!.arrive();
    expect(await late).toBe('engine 2');
    engines.jumping.advance(5_000);
    await closed;
    engines.reaches[0]!.arrive();
    await early;
    await nextTurn();
    expect(await ask(engines)).toBe('engine 2');
    expect([engines.closed, engines.reaches.length]).toEqual([['engine 1'], 2]);
  });

  it('waits for an inspection over an engine of its own, five seconds at most', async () => {
    const engines = new Engines();
    const inspections = [1, 2].map(() => {
      let end = (): void => {};
      const over = engines.inspect('be verified', () => new Promise<void>((done) => (end = done)));
      return { over, end: () => end() };
    });
    for (const { arrive } of engines.reaches) arrive();
    await nextTurn();
    inspections[0]!.end();
    await inspections[0]!.over;
    const events = closing(engines);
    await nextTurn();
    expect(events).toEqual([]);
    inspections[1]!.end();
    await inspections[1]!.over;
    await nextTurn();
    expect([events, engines.closed, engines.jumping.alarms]).toEqual([
      ['closed'],
      ['engine 1', 'engine 2'],
      0,
    ]);

    void engines.inspect('be verified', () => new Promise(() => {}));
    const late = closing(engines);
    await nextTurn();
    expect(late).toEqual([]);
    engines.jumping.advance(5_000);
    await nextTurn();
    expect(late).toEqual(['closed']);
  });

  it('closes once what is closed again meanwhile, for which both wait', async () => {
    const engines = await opened();
    const inFlight = call(engines);
    const events = [closing(engines), closing(engines)];
    await nextTurn();
    expect(events).toEqual([[], []]);
    inFlight.end();
    await inFlight.over;
    await nextTurn();
    expect([events, engines.closed]).toEqual([[['closed'], ['closed']], ['engine 1']]);
  });
});
