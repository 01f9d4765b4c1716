/**
 * True for a web `Response`, of whatever class: a runtime may have several, when `Response` was
 * replaced after one was kept, or a module runs in a realm of its own.
 */
export function isResponse(value: unknown): value is Response {
  if (value instanceof Response) return true;
  if (typeof value !== 'object' || value === null) return false;
  const { status, headers, clone } = value as Partial<Response>;
  return (
    Object.prototype.toString.call(value) === '[object Response]' &&
    typeof status === 'number' &&
    typeof headers?.get === 'function' &&
    typeof clone === 'function'
  );
}
