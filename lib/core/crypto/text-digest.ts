/**
 * The digest of a text in hexadecimal. Made with what browsers and Node share: clients that a
 * browser may load import nothing of Node's.
 */
export async function textDigest(algorithm: 'SHA-1' | 'SHA-256', text: string): Promise<string> {
  const digest = await crypto.subtle.digest(algorithm, new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
