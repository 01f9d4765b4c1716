import { describe, expect, it } from '@jest/globals';

import { BodyTooLargeError } from '../../../lib/core/core.errors.js';
import { BodyBytes } from '../../../lib/core/http/body-copy.js';
import { heldBytes } from '../../support/heap.js';

describe('BodyBytes', () => {
  it('joins pieces of any size in their order', () => {
    const body = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 251));
    const bytes = new BodyBytes(body.length);
    for (let at = 0, size = 0; at < body.length; at += size, size = (size * 7 + 1) % 1500)
      bytes.add(body.subarray(at, at + size));
    expect(bytes.length).toBe(body.length);
    expect(bytes.read()).toEqual(body);
  });

  it('is empty before anything has come in', () => {
    expect(new BodyBytes(10).read()).toEqual(Buffer.alloc(0));
  });

  it('keeps its own bytes, not those of who passed them', () => {
    const piece = Buffer.from('abc');
    const bytes = new BodyBytes(10);
    bytes.add(piece);
    piece.fill('x');
    expect(bytes.read().toString()).toBe('abc');
  });

  it('keeps pieces that are its own from then on, and copies those between them', () => {
    const [first, second, third] = ['a', 'b', 'c'].map((text) => Buffer.alloc(2000, text));
    const bytes = new BodyBytes(8000);
    bytes.add(first!, true);
    expect([bytes.read().buffer === first!.buffer, bytes.allocated]).toEqual([true, 2000]);
    bytes.add(second!);
    bytes.add(third!, true);
    second!.fill('x');
    expect(
      bytes.read().equals(Buffer.from(['a', 'b', 'c'].map((c) => c.repeat(2000)).join(''))),
    ).toBe(true);
    expect(first!.equals(Buffer.alloc(2000, 'a'))).toBe(true);
  });

  it('copies what it has kept before somebody else gets it', () => {
    const piece = Buffer.alloc(2000, 'a');
    const bytes = new BodyBytes(8000);
    bytes.add(piece, true);
    bytes.copyKept();
    piece.fill('x');
    expect([String(bytes.read()), bytes.allocated]).toEqual(['a'.repeat(2000), 2000]);
  });

  // Each reading had all pieces copied again: a body of 2 MB in small pieces took ten seconds.
  it('keeps nothing from then on', () => {
    const piece = Buffer.alloc(2000, 'a');
    const bytes = new BodyBytes(8000);
    bytes.copyKept();
    bytes.add(piece, true);
    piece.fill('x');
    expect(String(bytes.read())).toBe('a'.repeat(2000));
  });

  it('takes exactly as much as its limit, and counts on beyond it', () => {
    const bytes = new BodyBytes(4);
    bytes.add(Buffer.from('1234'));
    expect(bytes.read().toString()).toBe('1234');
    expect(() => bytes.read(3)).toThrow(BodyTooLargeError);
    bytes.add(Buffer.from('5'));
    bytes.add(Buffer.from('6'));
    expect(bytes.length).toBe(6);
    expect(() => bytes.read()).toThrow('longer than the 4 bytes');
  });

  it('holds little more than the body when that comes one byte at a time', () => {
    // A buffer for each piece, and the piece of socket memory behind it, made 5 MB cost 2 GB.
    const size = 200_000;
    const before = heldBytes();
    const bytes = new BodyBytes(size);
    for (let n = 0; n < size; n++) bytes.add(Buffer.from('x'));
    expect(heldBytes() - before).toBeLessThan(4 * 1024 * 1024);
    expect(bytes.read().equals(Buffer.alloc(size, 'x'))).toBe(true);
  });
});
