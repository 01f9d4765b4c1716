/** What a room sees of an incoming request, whatever the host. */
export interface InboundRequest {
  /** Upper-case. */
  readonly method: string;
  /** On the app's own origin: the `Host` header is never believed. */
  readonly url: URL;
  /** The first value of a header, by any spelling of its name. */
  header(name: string): string | undefined;
  /**
   * The body as it was sent. May be called more than once.
   * @throws {BodyTooLargeError} beyond the configured limit
   * @throws {RawBodyUnavailableError} when only a parsed form is left
   */
  rawBody(): Promise<Buffer>;
}

/** The URL of a request on the app's origin, from the request target as it came over the wire. */
export function inboundUrl(target: string | undefined, origin: string): URL {
  const path = target?.startsWith('/') ? target : '/';
  // Concatenated, not resolved: `//elsewhere.example/` must stay a path.
  return new URL(origin + path);
}

/** True for a page load (top level or in a frame), false for a `fetch`, an XHR or an API client. */
export function wantsDocument(request: InboundRequest): boolean {
  if (request.header('authorization') !== undefined || request.header('x-requested-with') !== undefined) return false;
  const destination = request.header('sec-fetch-dest');
  if (destination !== undefined) return destination === 'document' || destination === 'iframe' || destination === 'frame';
  return (request.method === 'GET' || request.method === 'HEAD') && (request.header('accept') ?? '').includes('text/html');
}
