import type { ApiSession } from '../../core/api-session.js';
import type { PageInfo } from '../page-info.js';
import type { RestResponse } from '../rest.response.js';
import { picked } from './resource-attributes.js';
import type { Attributes } from './resource-attributes.js';
import { prepare, recordsIn, send } from './resource-request.js';
import type { ResourceCall } from './resource-request.js';
import type { ResourceClass, RestResource } from './rest-resource.js';

/** An id in a path; pass numbers beyond 2^53 as texts. */
export type ResourceId = string | number;

/**
 * A query parameter. Lists are sent as `name[]=`, records as `name[key]=`; comma-separated lists
 * are one text.
 */
export type QueryValue =
  | string
  | number
  | boolean
  | Date
  | null
  | undefined
  | readonly QueryValue[]
  | { readonly [key: string]: QueryValue };

/** One page of a list. */
export interface ResourcePage<T> {
  readonly data: T[];
  readonly headers: Readonly<Record<string, string[]>>;
  /**
   * `all({ session, ...pageInfo.nextPage.query })` returns the next page; ids of the path have to
   * be passed again.
   */
  readonly pageInfo: PageInfo;
}

/** A method that returns the body of the reply, or on request the whole reply. */
export interface RawMethod<Args> {
  <Body = unknown>(
    args: Args & { readonly returnFullResponse: true },
  ): Promise<Pick<RestResponse<Body>, 'body' | 'headers' | 'pageInfo'>>;
  <Body = unknown>(args: Args & { readonly returnFullResponse?: false | undefined }): Promise<Body>;
}

type Args = Readonly<Attributes> & { readonly session: ApiSession };

/**
 * Adds the methods of the rows to a class: static ones to read and delete, instance methods for
 * actions.
 */
export function addMethods(resource: ResourceClass, rows: readonly string[]): void {
  for (const row of rows) {
    const [verb, name = ''] = row.split(/ +/, 2);
    if (name === 'create' || name === 'update') continue;
    if (verb !== 'GET' && name !== 'delete')
      define(resource.prototype, name, (ACTIONS[name] ??= actionCalled(name)));
    else define(resource, name, (READERS[name] ??= readerCalled(name)));
    if (name === 'all') define(resource, 'each', each);
  }
}

// The behaviour of a method depends on its name alone; the class it is called on knows the rest.
const ACTIONS: Record<string, ReturnType<typeof actionCalled>> = {};
const READERS: Record<string, ReturnType<typeof readerCalled>> = {};

/** An action on an instance, which it does not change. The body is sent as given. */
function actionCalled(method: string) {
  return async function (
    this: RestResource,
    { body: data, ...query }: { body?: object | null } & Attributes = {},
  ): Promise<unknown> {
    const { body } = await send(this.constructor as ResourceClass, {
      session: this.session,
      method,
      ids: [this],
      query,
      data,
    });
    return body;
  };
}

function readerCalled(method: string) {
  return async function (this: ResourceClass, args: Args): Promise<unknown> {
    const response = await send(this, callOf(this, method, args));
    if (method === 'find' || method === this.binding.definition.first)
      return instancesIn(this, response, args)[0];
    if (method === 'all') return pageOf(this, response, args);
    return args['returnFullResponse'] === true ? response : response.body;
  };
}

/** Iterates over a list and fetches its pages as needed. */
async function* each(
  this: ResourceClass,
  args: Args,
): AsyncGenerator<RestResource, void, undefined> {
  const { client, request } = prepare(this, callOf(this, 'all', args));
  for await (const response of client.pages(request)) yield* instancesIn(this, response, args);
}

function callOf({ binding }: ResourceClass, method: string, args: Args): ResourceCall {
  const { ids, params } = binding.definition.methods.get(method)!;
  const { session, returnFullResponse: _, ...given } = args ?? {};
  const isClosed = method === 'find' || method === 'delete';
  const query = picked(
    given,
    isClosed ? params : Object.keys(given).filter((argument) => !ids.includes(argument)),
  );
  return { session, method, ids: [given], query };
}

function instancesIn(
  resource: ResourceClass,
  { body }: RestResponse<unknown>,
  { session }: Args,
): RestResource[] {
  return recordsIn(resource.binding.definition, body).map(
    (fromData) => new resource({ session, fromData }),
  );
}

function pageOf(
  resource: ResourceClass,
  response: RestResponse<unknown>,
  args: Args,
): ResourcePage<RestResource> {
  return {
    data: instancesIn(resource, response, args),
    get headers() {
      return response.headers;
    },
    pageInfo: response.pageInfo,
  };
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
}
