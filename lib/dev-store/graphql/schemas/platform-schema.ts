import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';

const LINE_FEED = 10;

/**
 * The platform's schema of an API version as a schema definition, without descriptions. A version
 * that the platform no longer serves, or not yet, gets the closest one that it does, as its calls
 * do.
 * @see https://shopify.dev/docs/api/usage/versioning
 */
export async function platformSchema(
  api: 'admin' | 'storefront',
  version: string,
): Promise<string> {
  const { PLATFORM_SCHEMAS } = await import('./platform-schemas.table.js');
  // Bytes: a part of a decoded text would keep all of it in memory.
  const all = await promisify(brotliDecompress)(Buffer.from(PLATFORM_SCHEMAS, 'base64'));
  const end = all.indexOf(LINE_FEED);
  const names = all.subarray(0, end).toString().split(' ');
  const prefix = `${api}/`;
  const versions = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  return lineOf(all, names.indexOf(prefix + closestVersion(versions, version)) + 1);
}

/** One of `versions`, in their order: those with a date, then others such as `unstable`. */
function closestVersion(versions: readonly string[], wanted: string): string | undefined {
  if (versions.includes(wanted)) return wanted;
  // Versions have the same length, so text order is time order.
  const dated = versions.filter((version) => /^\d/.test(version));
  return dated.find((version) => version > wanted) ?? dated.at(-1);
}

/** A line of a text, counted from 0. */
function lineOf(text: Buffer, number: number): string {
  let start = 0;
  for (let line = 0; line < number; line++) start = text.indexOf(LINE_FEED, start) + 1;
  const end = text.indexOf(LINE_FEED, start);
  return text.subarray(start, end < 0 ? text.length : end).toString();
}
