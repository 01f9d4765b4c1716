import { ScopesService } from '../../../lib/auth/scopes/scopes.service.js';
import { AdminGraphqlClient } from '../../../lib/graphql-client/admin-graphql.client.js';
import { MemoryRecordStore } from '../../../lib/sessions/storages/memory/memory-record.store.js';
import { RecordLock } from '../../../lib/sessions/coordination/coordination-stores.js';
import { apiCaller } from '../../support/api-caller.js';
import { StillClock, createApp } from '../auth.fixture.js';
import type { App, AppSetup } from '../auth.fixture.js';

interface Operation {
  readonly query: string;
  readonly variables?: { readonly scopes?: readonly string[] };
}

/** Of the platform, what knows the scopes of one shop. */
export class ScopesPlatform {
  granted = ['write_products', 'read_products'];
  readonly required = ['write_products', 'read_products'];
  readonly optional = ['read_orders', 'write_discounts'];
  /** What {@link granted} shows although it is gone, as a replica may that is behind. */
  lagging: string[] = [];
  /** What a revocation is refused with. */
  refusals: readonly object[] = [];
  /** Names of the operations that were sent. */
  readonly operations: string[] = [];
  /** Runs before the answer to a revocation arrives. */
  afterRevocation: () => Promise<unknown> = () => Promise.resolve();
  /** Takes the place of what it would answer to a query. */
  answer: object | undefined;
  /** Runs while a query is answered. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();

  readonly fetch: typeof globalThis.fetch = async (_, init) => {
    const { query, variables } = JSON.parse(String(init?.body)) as Operation;
    const [, kind, name = ''] = /(query|mutation) (\w+)/.exec(query) ?? [];
    this.operations.push(name);
    if (kind === 'mutation') {
      const outcome = this.#revoke(variables?.scopes ?? []);
      await this.afterRevocation();
      return Response.json({ data: { outcome } });
    }
    const app = {
      requestedAccessScopes: handles(this.required),
      optionalAccessScopes: handles(this.optional),
      installation: { accessScopes: handles([...this.granted, ...this.lagging]) },
    };
    await this.meanwhile();
    return Response.json({ data: this.answer ?? { app } });
  };

  #revoke(scopes: readonly string[]): object {
    if (this.refusals.length > 0) return { revoked: null, userErrors: this.refusals };
    const revoked = this.granted.filter((scope) => scopes.includes(scope));
    this.granted = this.granted.filter((scope) => !revoked.includes(scope));
    return { revoked: handles(revoked), userErrors: [] };
  }
}

function handles(scopes: readonly string[]): object[] {
  return scopes.map((handle) => ({ handle }));
}

export interface ScopesApp extends App {
  readonly platform: ScopesPlatform;
  readonly scopes: ScopesService;
}

/** An app's authentication, with the scopes of one shop on a simulated platform. */
export function createScopesApp(setup: AppSetup = {}): ScopesApp {
  const clock = setup.clock ?? new StillClock();
  const lock = setup.lock ?? new RecordLock(new MemoryRecordStore(clock));
  const app = createApp({ ...setup, clock, lock });
  const platform = new ScopesPlatform();
  const { config, logger, storage, records, tokens } = app;
  const graphql = new AdminGraphqlClient(config, apiCaller(platform.fetch, clock), logger, tokens);
  return {
    ...app,
    platform,
    scopes: new ScopesService({ config, clock, logger, lock, storage, records, graphql }),
  };
}
