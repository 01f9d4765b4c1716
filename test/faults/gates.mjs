/**
 * The places in an app where it can be made to stand still until it is killed. A gate has the name
 * of a phase, and is shut for one key alone: the id of a delivery, or a shop.
 */
export class Gates {
  /** What is begun in the last moment before the process is killed. */
  lastActs = [];

  /** @param shut phases by key @param tell gets `{ reached: key }` */
  constructor(shut, tell) {
    this.shut = shut;
    this.tell = tell;
  }

  /** Resolves at once when the gate is open for the key, else never. */
  async pass(phase, key) {
    if (this.shut[key] !== phase) return;
    this.tell({ reached: key });
    await new Promise(() => {});
  }

  /** The same; when it is shut, `act` is begun in the last moment. */
  async passOrDieDuring(phase, key, act) {
    if (this.shut[key] === phase) this.lastActs.push(act);
    await this.pass(phase, key);
  }
}

export function gatedInbox(inbox, gates) {
  return {
    async claim(key, leaseMs) {
      await gates.pass('before the claim', key.webhookId);
      const claim = await inbox.claim(key, leaseMs);
      if (claim.state === 'claimed') await gates.pass('after the claim', key.webhookId);
      return claim;
    },
    async complete(key, token) {
      await gates.pass('before it is marked done', key.webhookId);
      await inbox.complete(key, token);
      await gates.pass('after it was marked done', key.webhookId);
    },
    renew: (key, token, leaseMs) => inbox.renew(key, token, leaseMs),
    release: (key, token, handled) => inbox.release(key, token, handled),
  };
}

export function gatedStorage(storage, gates) {
  const gated = {
    async storeSession(session) {
      await gates.pass('before the session is stored', session.shop);
      const stored = await storage.storeSession(session);
      await gates.pass('after the session was stored', session.shop);
      return stored;
    },
    async replaceSession(session, previous) {
      const replace = () => storage.replaceSession(session, previous);
      await gates.pass('before the save', session.shop);
      await gates.passOrDieDuring('during the save', session.shop, replace);
      const replaced = await replace();
      await gates.pass('after the save', session.shop);
      return replaced;
    },
  };
  return new Proxy(storage, {
    get(target, name) {
      if (Object.hasOwn(gated, name)) return gated[name];
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** @param hasHeard whether the app's hook is done with a shop's installation */
export function gatedInstallations(installations, gates, hasHeard) {
  return {
    load: (app, shop) => installations.load(app, shop),
    async save(installation) {
      const isToldOf = !installation.pending.some(({ event }) => event === 'installed');
      if (isToldOf && hasHeard(installation.shop))
        await gates.pass('before it is noted', installation.shop);
      return installations.save(installation);
    },
  };
}

/** @param shopOf the shop that answers at an origin */
export function gatedFetch(gates, shopOf) {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const shop = url.pathname === '/admin/oauth/access_token' ? shopOf(url.origin) : undefined;
    if (shop !== undefined) await gates.pass('before the request', shop);
    const reply = await fetch(input, init);
    if (shop !== undefined) await gates.pass('after the reply', shop);
    return reply;
  };
}
