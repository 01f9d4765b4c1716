import { describe, expect, it } from '@jest/globals';

import { RestResource } from '../../../lib/rest-client/resources/rest-resource.js';
import type { ResourceClass } from '../../../lib/rest-client/resources/rest-resource.js';
import { defineResources } from '../../../lib/rest-client/resources/define-resources.js';
import { SHOP } from '../../support/app.js';
import { EXPECTED_CALLS } from './expected-calls.js';
import { SESSION, VERSIONS, isIn, mounted } from './resources.fixture.js';

type Attributes = Record<string, unknown>;
type Method = (args: object) => Promise<unknown>;

const CALL = /^(?<resource>\w+)(?<kind>[.#])(?<method>\w+)\((?<args>.*)\)$/;
const REQUEST = /^(?<verb>\w+) (?<path>\S+)(?: \?(?<query>\S+))?(?: (?<body>\{.*\}))?$/;

/** A row, taken apart. Every argument has a value of its own. */
function parsed(call: string, request: string) {
  const { resource = '', kind = '', method = '', args = '' } = CALL.exec(call)?.groups ?? {};
  const { verb = '', path = '', query = '', body } = REQUEST.exec(request)?.groups ?? {};
  const values: Record<string, string> = Object.fromEntries(
    (args ? args.split(', ') : []).map((name, index) => [name, `${name}-${index}`]),
  );
  const parameters = query ? query.split('&') : [];
  return { resource, isStatic: kind === '.', method, values, verb, path, query: parameters, body };
}

function picked(values: Attributes, wanted: (name: string) => boolean): Attributes {
  return Object.fromEntries(Object.entries(values).filter(([name]) => wanted(name)));
}

const BODY = { anything: ['as', { it: 'is' }] };

/** Does what a row says; answers the body that has to be sent. */
async function perform(
  Resource: ResourceClass,
  { isStatic, method, values, query, body }: ReturnType<typeof parsed>,
): Promise<unknown> {
  if (isStatic) {
    await (Resource as unknown as Record<string, Method>)[method]!({ session: SESSION, ...values });
    return undefined;
  }
  const instance = new Resource({ session: SESSION });
  Object.assign(
    instance,
    picked(values, (name) => !query.includes(name)),
  );
  if (method === 'save') {
    instance['own'] = 'value';
    await instance.save();
    return { [body!.slice(1, -1)]: { ...picked(values, () => true), own: 'value' } };
  }
  await (instance as unknown as Record<string, Method>)[method]!({
    ...picked(values, (name) => query.includes(name)),
    body: BODY,
  });
  return BODY;
}

describe.each(VERSIONS)('resources of %s', (version) => {
  const { rest, script } = mounted(defineResources(version), version);
  const rows = EXPECTED_CALLS.filter(([versions]) => isIn(versions, version)).map(
    ([, call, request]) => parsed(call, request),
  );
  const names = [...new Set(rows.map(({ resource }) => resource))];

  it('are those of the version, under their own names', () => {
    expect(Object.keys(rest).sort()).toEqual(names.sort());
    expect(Object.values(rest).map(({ name }) => name)).toEqual(Object.keys(rest));
    expect(new Set(Object.values(rest).map(({ apiVersion }) => apiVersion))).toEqual(
      new Set([version]),
    );
  });

  it.each(names)('%s has no other methods', (name) => {
    const expected = rows.filter(({ resource, method }) => resource === name && method !== 'save');
    const inherited = Object.getPrototypeOf(rest[name]) as ResourceClass;
    const statics = Object.getOwnPropertyNames(inherited).filter(
      (method) => method in RestResource === false,
    );
    const methods = new Set(
      expected.filter(({ isStatic }) => isStatic).map(({ method }) => method),
    );
    expect(new Set(statics)).toEqual(new Set(methods.has('all') ? [...methods, 'each'] : methods));
    const actions = Object.getOwnPropertyNames(inherited.prototype).filter(
      (method) => method !== 'constructor',
    );
    expect(new Set(actions)).toEqual(
      new Set(expected.filter(({ isStatic }) => !isStatic).map(({ method }) => method)),
    );
  });

  it.each(names)('%s calls the paths of its methods', async (name) => {
    for (const row of rows.filter(({ resource }) => resource === name)) {
      const data = await perform(rest[name]!, row);
      const { url, method, body, headers } = script.last;
      const { origin, pathname, searchParams } = new URL(url);
      const path = row.path.replace(/\{(\w+)\}/g, (_, id: string) => row.values[id]!);
      const expected = path.startsWith('/') ? path : `/admin/api/${version}/${path}`;
      expect([method, origin, pathname]).toEqual([row.verb, `https://${SHOP}`, expected]);
      expect([...searchParams].sort()).toEqual(
        row.query.map((parameter) => [parameter, row.values[parameter]]).sort(),
      );
      expect(body === undefined ? undefined : JSON.parse(body)).toEqual(data);
      expect(headers['x-shopify-access-token']).toBe(SESSION.accessToken);
    }
  });
});
