import { describe, expect, it } from '@jest/globals';
import { GraphqlEngine } from '../../../lib/dev-store/graphql/graphql-engine.js';
import { StoreReplyError } from '../../../lib/dev-store/http/store-request.js';

const missing = () =>
  Promise.reject(
    Object.assign(new Error("Cannot find package 'graphql'"), { code: 'ERR_MODULE_NOT_FOUND' }),
  );

describe('GraphqlEngine', () => {
  it('answers with the package to install when "graphql" is missing', async () => {
    const engine = new GraphqlEngine(() => Promise.resolve('type Query { a: Int }'), missing);
    const refusal = await engine.check('2026-07', '{ a }').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StoreReplyError);
    const { status, body, note } = (refusal as StoreReplyError).reply;
    expect(status).toBe(501);
    expect(JSON.parse(String(body))).toEqual({
      errors:
        'The GraphQL interfaces of the DevStore need the package "graphql", which could not be loaded. Run: npm install --save-dev graphql@16',
    });
    expect(note).toContain("Cannot find package 'graphql'");
  });

  it('loads the package with the first document and not before', async () => {
    let loads = 0;
    const engine = new GraphqlEngine(
      () => Promise.resolve('type Query { a: Int }'),
      () => {
        loads++;
        return import('graphql');
      },
    );
    expect(loads).toBe(0);
    expect(await engine.check('2026-07', '{ a }')).toHaveProperty('document');
    expect(loads).toBe(1);
  });
});
