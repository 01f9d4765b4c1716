import { describe, expect, it } from '@jest/globals';

import { bind, bindValue, nameOfToken, typedToken } from '../../../lib/core/binding.js';
import { Resolver } from '../../../lib/platform/kernel/resolver.js';

class Engine {
  private readonly kind = 'engine';
  constructor(readonly fuel: string) {
    void this.kind;
  }
}

class Car {
  constructor(
    readonly engine: Engine,
    readonly name: string,
  ) {}
}

const FUEL = typedToken<string>('FUEL');
const NAME = typedToken<string>('NAME');

const CAR = [
  bind(Car, { engine: Engine, name: NAME }, ({ engine, name }) => new Car(engine, name)),
  bind(Engine, { fuel: FUEL }, ({ fuel }) => new Engine(fuel)),
  bindValue(FUEL, 'wind'),
  bindValue(NAME, 'one'),
];

describe('the resolver of an app', () => {
  it('makes an object with all it needs, in whatever order the bindings stand, and once', () => {
    const app = new Resolver(CAR);
    const car = app.get(Car);
    expect(car).toMatchObject({ name: 'one', engine: { fuel: 'wind' } });
    expect(app.get(Car)).toBe(car);
    expect(app.get(Engine)).toBe(car.engine);
  });

  it('makes nothing that nobody asked for', () => {
    const made: string[] = [];
    const lazy = bind(Engine, {}, () => (made.push('engine'), new Engine('coal')));
    new Resolver([...CAR, lazy]).get(NAME);
    expect(made).toEqual([]);
  });

  it('takes the later of two bindings, for all that depend on it', () => {
    const other = new Engine('sun');
    expect(new Resolver([...CAR, bindValue(Engine, other)]).get(Car).engine).toBe(other);
  });

  it('names the way to what is not bound', () => {
    const app = new Resolver(CAR.filter(({ token }) => token !== FUEL));
    expect(() => app.get(Car)).toThrow('Nothing is bound to Car → Engine → shopwright:FUEL.');
    // What was found wrong once is no circle the second time.
    expect(() => app.get(Car)).toThrow('Nothing is bound to');
  });

  it('names a circle', () => {
    const circle = bind(Engine, { car: Car }, ({ car }) => car.engine);
    expect(() => new Resolver([...CAR, circle]).get(Car)).toThrow(
      'These need each other: Car → Engine → Car.',
    );
  });

  it('keeps nothing of a factory that failed', () => {
    let fails = true;
    const flaky = bind(Engine, {}, () => {
      if (fails) throw new Error('no spark');
      return new Engine('gas');
    });
    const app = new Resolver([...CAR, flaky]);
    expect(() => app.get(Car)).toThrow('no spark');
    fails = false;
    expect(app.get(Car).engine.fuel).toBe('gas');
  });
});

describe('what begins and ends with an app', () => {
  const log: string[] = [];
  const lasting = (name: string, { fails = '' } = {}) =>
    bind(typedToken<string>(name), {}, () => (log.push(`made ${name}`), name), {
      start: () => {
        if (fails === 'start') throw new Error(`${name} does not start`);
        log.push(`started ${name}`);
      },
      close: async () => {
        log.push(`closed ${name}`);
        if (fails === 'close') throw new Error(`${name} does not close`);
      },
    });

  it('starts in order and closes in reverse, each once', async () => {
    log.length = 0;
    const app = new Resolver([lasting('a'), lasting('b')]);
    app.start();
    await app.close();
    await app.close();
    expect(log).toEqual(['made a', 'started a', 'made b', 'started b', 'closed b', 'closed a']);
  });

  it('begins what waits for the handlers when it is told to, and makes nothing for it', () => {
    const log: string[] = [];
    const waiting = (name: string) =>
      bind(typedToken<string>(name), {}, () => name, { ready: (made) => void log.push(made) });
    const app = new Resolver([waiting('made'), waiting('unmade')]);
    app.get(typedToken('made'));
    app.start();
    expect(log).toEqual([]);
    app.ready();
    expect(log).toEqual(['made']);
  });

  it('closes what had started when another fails to, and makes nothing else', async () => {
    log.length = 0;
    const app = new Resolver([lasting('a'), lasting('b', { fails: 'start' }), lasting('c')]);
    expect(() => app.start()).toThrow('b does not start');
    await new Promise(setImmediate);
    expect(log).toEqual(['made a', 'started a', 'made b', 'closed a']);
  });

  it('closes the rest when one fails to close, and says so', async () => {
    log.length = 0;
    const app = new Resolver([lasting('a'), lasting('b', { fails: 'close' })]);
    app.start();
    await expect(app.close()).rejects.toThrow('b does not close');
    expect(log.slice(-2)).toEqual(['closed b', 'closed a']);
  });

  it('closes what was made without ever starting it only where nothing starts', async () => {
    const closed: string[] = [];
    const used = bind(NAME, {}, () => 'used', { close: (name) => void closed.push(name) });
    const unused = bind(FUEL, {}, () => 'unused', { close: (name) => void closed.push(name) });
    const app = new Resolver([used, unused, lasting('never started')]);
    app.get(NAME);
    await app.close();
    expect(closed).toEqual(['used']);
  });
});

it('calls a token by its class, or by its own name', () => {
  expect([Car, FUEL].map(nameOfToken)).toEqual(['Car', 'shopwright:FUEL']);
});
