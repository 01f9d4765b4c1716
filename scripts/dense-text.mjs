// Writes bytes as text that a string literal holds without escapes: 13 bits in two of the 91
// printable characters that are no quotes and no backslash. Base64 needs a tenth more.
// lib/dev-store/graphql/schemas/dense-text.ts reads it.
const CHARACTERS = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).filter(
  (character) => !`"'\\\``.includes(character),
);

export function denseText(bytes) {
  let [text, bits, count] = ['', 0, 0];
  const write = () => {
    const pair = bits & 0x1fff;
    text += CHARACTERS[Math.floor(pair / 91)] + CHARACTERS[pair % 91];
    bits >>>= 13;
    count -= 13;
  };
  for (const byte of bytes) {
    bits |= byte << count;
    count += 8;
    if (count >= 13) write();
  }
  if (count > 0) write();
  return text;
}
