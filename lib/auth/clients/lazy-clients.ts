import type { Untyped } from '../../core/json.js';
import type { RegisteredResources, ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { ShopClients } from './admin-context.js';

/** A client of a shop. */
type ClientName = 'admin' | 'storefront';

/**
 * An object of `own` members, with clients of a shop that are made when they are first read. They
 * are members of the object itself, so that a spread takes them along.
 */
export function withLazyClients<
  Own extends object,
  Name extends ClientName,
  Resources extends ResourceSet = RegisteredResources,
>(
  own: Own,
  clients: ShopClients<Resources>,
  names: readonly Name[],
): Own & Pick<ShopClients<Resources>, Name> {
  return new LazyClients(own, clients, names) as Untyped;
}

/** A class, as an object literal with getters would keep its request from dying young. */
class LazyClients {
  static readonly #members = { admin: member('admin'), storefront: member('storefront') };
  readonly #clients: ShopClients<ResourceSet>;

  constructor(own: object, clients: ShopClients<ResourceSet>, names: readonly ClientName[]) {
    Object.assign(this, own);
    this.#clients = clients;
    for (const name of names) Object.defineProperty(this, name, LazyClients.#members[name]);
  }

  static clientsOf(context: LazyClients): ShopClients<ResourceSet> {
    return context.#clients;
  }
}

function member(name: ClientName): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: true,
    get(this: LazyClients) {
      const value = LazyClients.clientsOf(this)[name];
      Object.defineProperty(this, name, { value, enumerable: true });
      return value;
    },
  };
}
