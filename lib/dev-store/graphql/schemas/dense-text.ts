/**
 * The bytes in a text that `scripts/dense-text.mjs` has written: 13 bits in two of the 91 printable
 * characters that are no quotes and no backslash. Behind the last byte there may be one of zeros.
 */
export function bytesIn(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 13) / 16));
  let [bits, count, end] = [0, 0, 0];
  for (let at = 0; at < text.length; at += 2) {
    bits |= (valueAt(text, at) * 91 + valueAt(text, at + 1)) << count;
    for (count += 13; count >= 8; count -= 8) {
      bytes[end++] = bits & 0xff;
      bits >>>= 8;
    }
  }
  return bytes;
}

/** The place of a character among the 91. */
function valueAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0x22) return code - 0x20;
  if (code < 0x27) return code - 0x21;
  if (code < 0x5c) return code - 0x22;
  return code < 0x60 ? code - 0x23 : code - 0x24;
}
