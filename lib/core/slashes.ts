const SLASH = 0x2f;

/**
 * The text without the slashes at its end. A loop, because `/\/+$/` takes quadratic time: it tries
 * again from every slash of a run that something follows.
 */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === SLASH) end--;
  return text.slice(0, end);
}
