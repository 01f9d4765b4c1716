import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import {
  BodyDroppedError,
  BodyTimeoutError,
  BodyTooLargeError,
  RawBodyUnavailableError,
} from '../../../lib/core/core.errors.js';
import { BodyCopies } from '../../../lib/core/http/body-copies.js';
import type { BodyCopy } from '../../../lib/core/http/body-copy.js';

const KB = 1024;
const LIMIT = 400 * KB;
const TOTAL = 1000 * KB;

/** A response as far as bodies look at it. */
class FakeAnswer {
  writableEnded = false;
  destroyed = false;
  readonly req = { socket: { destroyed: false } };
}

/** Bodies whose turns are called by hand. */
class TurnedCopies extends BodyCopies {
  readonly #due: (() => void)[];
  constructor(total = TOTAL) {
    const due: (() => void)[] = [];
    super((_ms, act) => void due.push(act));
    this.#due = due;
    this.limitTo(total);
  }
  /** Timers that are set. */
  get timers(): number {
    return this.#due.length;
  }
  pass(turns = 1): void {
    for (let n = 0; n < turns; n++) this.#due.shift()?.();
  }
}

const bytes = (length: number, fill = 1): Buffer => Buffer.alloc(length, fill);
function filled(copies: BodyCopies, length: number, answer = new FakeAnswer()): BodyCopy {
  const copy = copies.open(LIMIT, answer);
  copy.add(bytes(length));
  return copy;
}
const freed = (...bodies: BodyCopy[]): boolean[] => bodies.map(({ isFreed }) => isFreed);

describe('pieces that a body keeps', () => {
  it('never become the memory of another body', () => {
    const copies = new TurnedCopies();
    const piece = bytes(64 * KB, 1);
    const body = copies.open(LIMIT, new FakeAnswer());
    body.add(piece, true);
    body.add(bytes(KB, 2));
    body.read();
    for (let n = 0; n < 3; n++) copies.open(LIMIT, new FakeAnswer()).add(bytes(40 * KB, 3));
    expect(piece).toEqual(bytes(64 * KB, 1));
  });
});

describe('bodies that reach their total', () => {
  it('go oldest first', () => {
    const copies = new TurnedCopies();
    const all = [1, 2, 3, 4].map(() => filled(copies, 250 * KB));
    expect(freed(...all)).toEqual([false, false, false, false]);
    all.push(filled(copies, 10 * KB));
    expect(freed(...all)).toEqual([true, false, false, false, false]);
    expect(() => all[0]!.read()).toThrow(BodyDroppedError);
    expect(() => all[0]!.read()).toThrow(String(TOTAL));
    expect(all[1]!.read()).toEqual(bytes(250 * KB));
  });

  it('go when they have stalled, before older ones that still arrive or are complete', () => {
    const copies = new TurnedCopies();
    const [complete, arriving, stalled, further] = [100, 150, 300, 300].map((size) =>
      filled(copies, size * KB),
    );
    complete!.end();
    copies.pass();
    arriving!.add(bytes(1));
    copies.pass();
    const young = filled(copies, 100 * KB);
    expect(freed(complete!, arriving!, stalled!, further!, young)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('go first of all when their requests have been answered', () => {
    const copies = new TurnedCopies();
    const answer = new FakeAnswer();
    const [old, answered] = [filled(copies, 300 * KB), filled(copies, 300 * KB, answer)];
    answer.writableEnded = true;
    expect(freed(old, answered, filled(copies, 400 * KB), filled(copies, 10 * KB))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('go themselves when no younger one is in the way', () => {
    const copies = new TurnedCopies();
    const [asking, young] = [
      filled(copies, 350 * KB),
      filled(copies, 400 * KB),
      filled(copies, 250 * KB),
    ];
    asking!.add(bytes(50 * KB));
    expect(freed(asking!, young!)).toEqual([true, false]);
    asking!.add(bytes(KB));
    expect(copies.allocated).toBe(650 * KB);
  });

  it('leave a body that fits, however much would be freed besides', () => {
    const copies = new TurnedCopies(LIMIT);
    const [small, large] = [filled(copies, 20 * KB), filled(copies, 380 * KB)];
    large.add(bytes(20 * KB));
    expect(freed(small, large)).toEqual([true, false]);
    expect(large.read().length).toBe(400 * KB);
  });

  it.each([64, 320])('leave what somebody has read as it was: %i kB', (size) => {
    const copies = new TurnedCopies();
    const first = copies.open(LIMIT, new FakeAnswer());
    for (let sent = 0; sent < size; sent += 64) first.add(bytes(64 * KB));
    const read = first.read();
    for (let n = 0; n < 20; n++) {
      const other = copies.open(LIMIT, new FakeAnswer());
      for (let piece = 0; piece < 6; piece++) other.add(bytes(64 * KB, 7));
    }
    first.add(bytes(64 * KB, 7));
    expect(first.isFreed).toBe(false);
    expect([read, first.read()]).toEqual([bytes(size * KB), bytes(size * KB)]);
  });

  // The first piece was kept as it came: what another reader did with it changed the signed bytes,
  // and a piece whose memory had been transferred ended the process.
  it('keep their bytes whatever another reader does with the pieces', () => {
    const copies = new TurnedCopies();
    const copy = copies.open(LIMIT, new FakeAnswer());
    const [changed, transferred] = [bytes(KB, 1), bytes(64 * KB, 2)];
    copy.add(changed);
    changed.fill(9);
    copy.add(transferred);
    structuredClone(transferred.buffer, { transfer: [transferred.buffer as ArrayBuffer] });
    copy.add(bytes(KB, 3));
    expect(copy.read()).toEqual(Buffer.concat([bytes(KB, 1), bytes(64 * KB, 2), bytes(KB, 3)]));
  });

  it('tell who waits for them', () => {
    const copies = new TurnedCopies();
    const told: string[] = [];
    const [waited, left] = [filled(copies, 400 * KB), filled(copies, 400 * KB)];
    waited!.wait(LIMIT, () => told.push('waited'));
    left!.wait(LIMIT, () => told.push('left'))();
    filled(copies, 400 * KB);
    filled(copies, 400 * KB);
    expect(freed(waited!, left!)).toEqual([true, true]);
    expect(told).toEqual(['waited']);
  });
});

describe('bodies of which nobody asks', () => {
  it('are freed when they have not arrived after 10 s', () => {
    const copies = new TurnedCopies();
    const [incomplete, complete] = [filled(copies, 10 * KB), filled(copies, 10 * KB)];
    complete!.end();
    for (let turn = 0; turn < 10; turn++) {
      copies.pass();
      incomplete!.add(bytes(1));
    }
    expect(freed(incomplete!, complete!)).toEqual([false, false]);
    copies.pass();
    expect(freed(incomplete!, complete!)).toEqual([true, false]);
    expect(() => incomplete!.read()).toThrow(BodyTimeoutError);
    expect(complete!.read()).toEqual(bytes(10 * KB));
  });

  it.each<[string, (answer: FakeAnswer) => void, string]>([
    ['has been answered', (answer) => (answer.writableEnded = true), 'answered'],
    ['lost its client', (answer) => (answer.destroyed = true), 'went_away'],
    [
      'lost its client behind another one',
      (answer) => (answer.req.socket.destroyed = true),
      'went_away',
    ],
  ])('are freed when their request %s', (_, end, reason) => {
    const copies = new TurnedCopies();
    const answer = new FakeAnswer();
    const copy = filled(copies, 10 * KB, answer);
    copy.end();
    end(answer);
    copies.pass();
    expect(copies.allocated).toBe(0);
    expect(() => copy.read()).toThrow(RawBodyUnavailableError);
    expect(() => copy.read()).toThrow(expect.objectContaining({ reason }));
  });

  it('stay while somebody waits for the rest of what was answered', () => {
    const copies = new TurnedCopies();
    const answer = new FakeAnswer();
    const copy = filled(copies, 10 * KB, answer);
    const stop = copy.wait(LIMIT, () => {});
    answer.writableEnded = true;
    copies.pass(2);
    expect(copy.isFreed).toBe(false);
    stop();
    copies.pass();
    expect(copy.isFreed).toBe(true);
  });
});

describe('the watch over bodies', () => {
  it('is one timer for all, and none when there are none', () => {
    const copies = new TurnedCopies();
    expect(copies.timers).toBe(0);
    const all = Array.from({ length: 100 }, () => filled(copies, KB));
    expect(copies.timers).toBe(1);
    for (const copy of all) {
      copy.end();
      copy.read();
    }
    copies.pass();
    expect(copies.timers).toBe(0);
    filled(copies, KB);
    expect(copies.timers).toBe(1);
  });
});

describe('a body that was read', () => {
  it('is no longer counted: a handler may take minutes over it', () => {
    const copies = new TurnedCopies();
    const copy = filled(copies, 300 * KB);
    copy.end();
    const read = copy.read();
    expect(copies.allocated).toBe(0);
    copies.pass(20);
    expect(copy.read().buffer).toBe(read.buffer);
  });
});

describe('the total', () => {
  it('is the largest of all that are set', () => {
    const copies = new BodyCopies(() => {});
    const releases = [1000, 5000, 5000, 2000].map((total) => copies.limitTo(total));
    expect(copies.total).toBe(5000);
    releases[1]!();
    releases[1]!();
    expect(copies.total).toBe(5000);
    releases[2]!();
    expect(copies.total).toBe(2000);
  });

  it('counts what is allocated, and nothing of a body beyond its limit', () => {
    const copies = new TurnedCopies();
    const copy = copies.open(LIMIT, new FakeAnswer());
    copy.add(bytes(1));
    expect(copies.allocated).toBe(KB);
    copy.add(bytes(LIMIT));
    expect(copies.allocated).toBe(0);
    expect(() => copy.read()).toThrow(BodyTooLargeError);
  });

  it('holds, and is counted rightly, whatever happens in whatever order', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('open' as const), answered: fc.boolean() }),
      fc.record({
        kind: fc.constant('add' as const),
        at: fc.nat(50),
        length: fc.oneof(fc.nat(300), fc.nat(5 * KB), fc.nat(90 * KB), fc.constant(64 * KB)),
      }),
      fc.record({
        kind: fc.constantFrom(
          'complete' as const,
          'read' as const,
          'close' as const,
          'answer' as const,
          'hangUp' as const,
          'await' as const,
        ),
        at: fc.nat(50),
      }),
      fc.record({ kind: fc.constant('pass' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const copies = new TurnedCopies(3 * LIMIT);
        const bodies: {
          copy: BodyCopy;
          answer: FakeAnswer | undefined;
          sent: number;
          counted: boolean;
        }[] = [];
        const check = (): void => {
          const sum = bodies.reduce(
            (total, { copy, counted }) => total + (counted ? copy.allocated : 0),
            0,
          );
          expect(copies.allocated).toBe(sum);
          expect(sum).toBeLessThanOrEqual(3 * LIMIT);
        };
        for (const one of steps) {
          const body = 'at' in one ? bodies[one.at % Math.max(1, bodies.length)] : undefined;
          if (one.kind === 'open') {
            const answer = one.answered ? new FakeAnswer() : undefined;
            bodies.push({ copy: copies.open(LIMIT, answer), answer, sent: 0, counted: true });
          } else if (one.kind === 'pass') copies.pass();
          else if (!body) continue;
          else if (one.kind === 'add') {
            if (body.copy.isComplete) continue;
            const fill = bodies.indexOf(body);
            body.copy.add(bytes(one.length, fill));
            body.sent += one.length;
          } else if (one.kind === 'complete') body.copy.end();
          else if (one.kind === 'answer' && body.answer) body.answer.writableEnded = true;
          else if (one.kind === 'hangUp' && body.answer) body.answer.req.socket.destroyed = true;
          else if (one.kind === 'await') body.copy.wait(LIMIT, () => {})();
          else if (one.kind === 'close' && !body.answer) copies.close(body.copy);
          else if (
            one.kind === 'read' &&
            body.copy.isComplete &&
            !body.copy.isFreed &&
            body.sent <= LIMIT
          ) {
            expect(body.copy.read().equals(bytes(body.sent, bodies.indexOf(body)))).toBe(true);
            body.counted = false;
          }
          check();
        }
        for (const { copy, answer } of bodies) {
          if (answer) answer.writableEnded = true;
          else copies.close(copy);
        }
        copies.pass(20);
        expect([copies.allocated, copies.timers]).toEqual([0, 0]);
      }),
      { numRuns: 300 },
    );
  });
});
