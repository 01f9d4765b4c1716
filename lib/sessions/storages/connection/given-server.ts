import { MissingRequiredArgument } from '../../../core/core.errors.js';

/** The server that a storage is given: by its URL, or what the driver has made of one. */
export interface GivenServer<Client> {
  /** For messages: without credentials. */
  readonly place: string;
  readonly url?: URL;
  readonly client?: Client;
}

/** What the servers of an engine are given as. */
export interface ServerKind<Client> {
  readonly name: string;
  /** Matches its URLs. */
  readonly urls: RegExp;
  readonly example: string;
  /** What the driver calls its own. */
  readonly noun: 'pool' | 'client';
  /** Of a URL that has none. @default the driver's */
  readonly port?: number | undefined;
  /** That of the driver which an app has passed; nothing when it is something else. */
  clientIn(given: object): Client | undefined;
}

/** @throws {MissingRequiredArgument} when it is neither a URL of the engine nor of its driver */
export function serverIn<Client>(given: unknown, kind: ServerKind<Client>): GivenServer<Client> {
  const { name, urls, example, noun } = kind;
  if (typeof given === 'object' && given !== null && !(given instanceof URL)) {
    const client = kind.clientIn(given);
    if (client) return { place: `${name} of the given ${noun}`, client };
  } else if (URL.canParse(String(given))) {
    const url = new URL(String(given));
    if (kind.port !== undefined && url.port === '') url.port = String(kind.port);
    if (urls.test(url.href)) return { place: `${name} at ${url.host}${url.pathname}`, url };
  }
  throw new MissingRequiredArgument(
    `${name} storage needs a URL, such as "${example}", or a ${noun} of the driver.`,
  );
}

/** A server whose parts are known, and the options of its storage. The host may have a port. */
export type Credentials<Options, Database = string> = [
  host: string,
  db: Database,
  username: string,
  password: string,
  options?: Options,
];

/** The URL of a database whose parts were given one by one. */
export function serverUrl(protocol: string, parts: Credentials<unknown, string | number>): string {
  const [host, database, user, password] = parts;
  const credentials = [user, password].map(encodeURIComponent).join(':');
  return `${protocol}://${credentials}@${host}/${encodeURIComponent(database)}`;
}
