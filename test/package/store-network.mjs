// The network between an app that knows nothing of a simulated store and that store: what is meant
// for the shop on the internet reaches the one on this machine. `node --import ./store-network.mjs`
// lays it below a program.
const { fetch: onTheInternet } = globalThis;

/** Sends what is meant for a shop to a simulated one from now on. */
export function rerouteFetch({ STORE_SHOP, STORE_ORIGIN }) {
  globalThis.fetch = (input, init) =>
    onTheInternet(String(input).replace(`https://${STORE_SHOP}`, STORE_ORIGIN), init);
}

if (process.env.STORE_SHOP) rerouteFetch(process.env);
