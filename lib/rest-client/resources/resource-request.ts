import type { ApiSession } from '../../core/api-session.js';
import { MissingRequiredArgument } from '../../core/core.errors.js';
import type { RestResponse } from '../rest.response.js';
import type { SearchParams } from '../search-params.js';
import { isRecord } from '../../core/json.js';
import type { Attributes } from './resource-attributes.js';
import type { ResourceDefinition, ResourceMethod } from './resource-definition.js';
import { RestResourceError, UnmountedResourceError } from './resources.errors.js';

/** The part of a REST client that resources call. */
export type ResourceClient = {
  readonly [Verb in ResourceMethod['verb']]: (
    request: PreparedCall['request'],
  ) => Promise<RestResponse<unknown>>;
} & { pages(request: PreparedCall['request']): AsyncIterable<RestResponse<unknown>> };

/** What a resource class needs to make calls. */
export interface CallBinding {
  readonly definition: ResourceDefinition;
  /** Returns the app's client; missing in a class that belongs to no app. */
  readonly clientFor?: (session: ApiSession) => ResourceClient;
}

/** The part of a resource class that makes calls. */
interface CallingClass {
  readonly name: string;
  readonly binding: CallBinding;
}

/** A call of one method of a resource. */
export interface ResourceCall {
  readonly session: ApiSession;
  readonly method: string;
  /** Where ids are looked up; the first object that has an id wins. */
  readonly ids: readonly Readonly<Attributes>[];
  readonly query?: Readonly<Attributes> | undefined;
  readonly data?: object | null | undefined;
}

/** A prepared call: a client of the session, and the request to make. */
interface PreparedCall {
  readonly client: ResourceClient;
  readonly verb: ResourceMethod['verb'];
  readonly request: {
    readonly path: readonly string[];
    readonly query: SearchParams;
    readonly data: object | string;
  };
}

/**
 * Finds the client and the path of a call.
 * @throws {UnmountedResourceError} when the class belongs to no app
 * @throws {RestResourceError} when no path has all its ids
 * @throws {MissingRequiredArgument} when there is no session
 */
export function prepare(
  resource: CallingClass,
  { session, method: name, ids, query = {}, data }: ResourceCall,
): PreparedCall {
  const { definition, clientFor } = resource.binding;
  if (!clientFor) throw unmounted(resource);
  const method = definition.methods.get(name);
  const path = method && pathOf(method, (id) => ids.map((attributes) => attributes[id]).find(isId));
  if (!path) throw unreachable(definition, name);
  if (!session)
    throw new MissingRequiredArgument(
      `${resource.name} needs a session: pass { session } as an argument.`,
    );
  return {
    client: clientFor(session),
    verb: method.verb,
    request: { path, query: query as SearchParams, data: data ?? '' },
  };
}

/** Makes a call. Throws the errors of {@link prepare} and of the client. */
export async function send(
  resource: CallingClass,
  call: ResourceCall,
): Promise<RestResponse<unknown>> {
  const { client, verb, request } = prepare(resource, call);
  return client[verb](request);
}

/** The records of this resource in a reply, in the order of its names. */
export function recordsIn({ names }: ResourceDefinition, body: unknown): Attributes[] {
  if (!isRecord(body)) return [];
  return names.flatMap(([singular, plural]) => {
    const found = Array.isArray(body[plural]) ? body[plural] : body[singular];
    return (Array.isArray(found) ? found : [found]).filter(isRecord);
  });
}

/**
 * The segments of the path with the most ids, among those whose ids are all known; the first of
 * equals. The segments are encoded later.
 */
function pathOf(
  { paths }: ResourceMethod,
  idOf: (name: string) => Id | undefined,
): string[] | undefined {
  const [best] = paths
    .filter(({ ids }) => ids.every((id) => idOf(id) !== undefined))
    .toSorted((one, other) => other.ids.length - one.ids.length);
  return best?.template
    .split('/')
    .map((segment) => (segment.startsWith('<') ? String(idOf(segment.slice(1, -1))) : segment));
}

type Id = string | number | bigint;

/** Zero, an empty text and values that cannot be an id count as missing. */
function isId(value: unknown): value is Id {
  return Boolean(value) && ['string', 'number', 'bigint'].includes(typeof value);
}

function unreachable({ name, methods }: ResourceDefinition, method: string): RestResourceError {
  const label = method === 'create' || method === 'update' ? `save() (${method})` : `${method}()`;
  const paths = methods.get(method)?.paths.map(({ template }) => template) ?? [];
  const hint =
    paths.length > 0
      ? `needs every <id> of ${paths.join(' or of ')}.`
      : 'is not offered by the platform.';
  return new RestResourceError(`Could not find a path for request. ${name} ${label} ${hint}`);
}

function unmounted({ name }: CallingClass): UnmountedResourceError {
  return new UnmountedResourceError(
    `${name} belongs to no app yet: pass restResources in the options of the app and use api.rest.${name} or admin.rest.resources.${name}.`,
  );
}
