import { MissingRequiredArgument } from '../../../core/core.errors.js';
import { parsedBody } from '../../../core/json.js';

/** The parameter of other clients that says how the connection is secured. */
const SSL_MODE = /^ssl[-_]?mode$/i;
const SSL_MODES: Readonly<Record<string, object | undefined>> = {
  disabled: undefined,
  preferred: undefined,
  required: { rejectUnauthorized: false },
  verify_ca: { rejectUnauthorized: true },
  verify_identity: { rejectUnauthorized: true, verifyIdentity: true },
};

/**
 * The driver's options that a URL stands for: its parameters are among them, as JSON or text;
 * beside them `ssl=true` and `ssl-mode=…`, which the driver does not know.
 * @throws {MissingRequiredArgument} when the URL has no database, or an unknown `ssl-mode`
 */
export function optionsIn(url: URL): Readonly<Record<string, unknown>> {
  const database = decoded(url.pathname.slice(1));
  if (database === '')
    throw new MissingRequiredArgument(
      'MySQL storage needs the name of a database in its URL, after the host.',
    );
  const parameters = [...url.searchParams].map(([name, text]): readonly [string, unknown] => {
    if (SSL_MODE.test(name)) return ['ssl', sslOf(text)];
    const value = parsedBody(text);
    const isSwitch = name === 'ssl' && (typeof value === 'boolean' || typeof value === 'number');
    return [name, isSwitch ? (value ? {} : undefined) : value];
  });
  return {
    ...Object.fromEntries(parameters),
    // An IPv6 address has brackets in a URL alone.
    host: decoded(url.hostname.replace(/^\[(.*)\]$/, '$1')),
    ...(url.port !== '' && { port: Number(url.port) }),
    user: decoded(url.username),
    password: decoded(url.password),
    database,
  };
}

function sslOf(mode: string): object | undefined {
  const name = mode.toLowerCase().replace('-', '_');
  if (name in SSL_MODES) return SSL_MODES[name];
  throw new MissingRequiredArgument(
    `MySQL storage knows no ssl-mode "${mode}", but ${Object.keys(SSL_MODES).join(', ')}.`,
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new MissingRequiredArgument(
      'The URL of MySQL storage has a "%" that stands for nothing. Write it as "%25".',
    );
  }
}
