const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const BRACE = 0x7b;
const OTHER_START = /^[\t\n\r ]*[{[<]/;
const PROXIED_PARAMETERS = ['path_prefix=', 'shop=', 'timestamp='];

/**
 * True for a body as the platform delivers it: JSON or XML. The platform signs session tokens and
 * query strings with the same key and algorithm, and a delivery's topic and shop are not signed at
 * all: without this check, anyone with a session token of one shop could post it as the
 * uninstallation of another. A token starts with a letter, and the query of a callback is
 * percent-encoded. The query of an app proxy is signed as the visitor wrote it, sorted: `{` sorts
 * after the parameters the platform adds, so a body that starts otherwise must not contain all of
 * them.
 */
export function isDelivered(body: Buffer): boolean {
  if (body[0] === BRACE) return true;
  const start = body.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK.length
    : 0;
  if (body[start] === BRACE) return true;
  return (
    OTHER_START.test(body.toString('latin1', start)) &&
    !PROXIED_PARAMETERS.every((parameter) => body.includes(parameter))
  );
}
