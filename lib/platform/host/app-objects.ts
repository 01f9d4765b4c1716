import type { Token } from '../../core/binding.js';
import { getPlatformToken } from '../nest/platform-tokens.js';

/** Under which an app outside Nest hands out its objects to other entry points of this package. */
const OBJECTS = Symbol.for('shopwright:OBJECTS');

/** What `platformApp()` of any host returns. */
interface FacadeObjects {
  readonly [OBJECTS]?: unknown;
}

/** A Nest app, a testing module or a `ModuleRef`. */
export interface NestObjects {
  get(token: never, options: { readonly strict: boolean }): unknown;
}

/** Finds an object of an app by its token. */
type ObjectOf = <T>(token: Token<T>) => T;

/** Lets other entry points find the objects of an app. */
export function handOut(host: object, objectOf: ObjectOf): void {
  Object.defineProperty(host, OBJECTS, { value: objectOf });
}

/**
 * The objects of an app.
 * @param name of an app in a Nest app. @default the unnamed one
 * @returns `undefined` when it is no app
 */
export function objectsOf(app: unknown, name?: string): ObjectOf | undefined {
  if ((typeof app !== 'object' && typeof app !== 'function') || app === null) return undefined;
  const own = (app as FacadeObjects)[OBJECTS] as ObjectOf | undefined;
  if (own) return own;
  const { get } = app as Partial<NestObjects>;
  if (typeof get !== 'function') return undefined;
  return <T>(token: Token<T>): T =>
    get.call(app, getPlatformToken(token, name) as never, { strict: false }) as T;
}
