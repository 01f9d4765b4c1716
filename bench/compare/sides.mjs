// How a side of a row is measured. Each function here makes an opener: given the side's name and
// the tools of the run, it answers the side with `sample()` and `close()`. A sample is a figure, or
// says what was wrong: then the figures of that side count for nothing.
import { Child } from './processes.mjs';

const SERVER_CORE = 0;
const CLIENT_CORE = 1;
/**
 * What makes the compiler do its work before anything is measured: requests to a server; calls of a
 * function, as below.
 */
const WARM_UP_REQUESTS = 20_000;
const WARM_UP_CALLING = 2_000;
/**
 * Milliseconds of processor time that a function is called for in a sample. On a busy machine time
 * on the clock may hold few calls.
 */
const CALLING = 300;
const MB = 1024 * 1024;

/** The client of all servers of a run. */
export const startClient = (node) => new Child('load.mjs', [], { node, core: CLIENT_CORE });

async function startServer(name, { node }) {
  const child = new Child('child.mjs', ['server', name], { node, core: SERVER_CORE });
  const { port } = await child.next();
  return { child, port };
}

/** Sends requests to a server. @param before what the server had handled until then */
async function send({ child, port }, { request, count }, { client }, before = 0) {
  const { answers, error } = await client.ask({ port, request, count });
  const after = await child.ask();
  const good = Object.entries(answers).reduce(
    (sum, [status, times]) => (status.startsWith('2') ? sum + times : sum),
    0,
  );
  const wrong = error ?? (good < count ? `answered with ${JSON.stringify(answers)}` : undefined);
  const handled = after.handled - before;
  return {
    ...after,
    wrong:
      wrong ?? (handled === count ? undefined : `${handled} of ${count} requests were handled`),
  };
}

/** Microseconds of a server's processor time a request, when it has as much to do as it can. */
export const underLoad = (load) => async (name, tools) => {
  const server = await startServer(name, tools);
  let last = await send(server, { ...load, count: WARM_UP_REQUESTS }, tools);
  return {
    async sample() {
      const before = last;
      last = await send(server, load, tools, before.handled);
      return { value: (last.used - before.used) / load.count, wrong: before.wrong ?? last.wrong };
    },
    close: () => server.child.close(),
  };
};

/** Opens, samples and closes a fresh server each time. */
const afresh = (load, figure) => async (name, tools) => ({
  async sample() {
    const server = await startServer(name, tools);
    const result = await send(server, load, tools);
    await server.child.close();
    return { value: figure(result), wrong: result.wrong };
  },
  async close() {},
});

/** Megabytes that a server's process has in memory after so many requests. */
export const memoryAfter = (load) => afresh(load, ({ rss }) => rss / MB);

/**
 * Milliseconds of processor time from the start of a server's process until its first request is
 * answered.
 */
export const untilAnswered = (request) => afresh({ request, count: 1 }, ({ used }) => used / 1000);

/** Microseconds of processor time a call. */
export async function called(name, { node }) {
  const child = new Child('child.mjs', ['call', name], { node, core: CLIENT_CORE });
  await child.next();
  await child.ask({ time: WARM_UP_CALLING });
  return {
    sample: async () => ({ value: (await child.ask({ time: CALLING })).perCall }),
    close: () => child.close(),
  };
}

/** A process of which the first message is waited for, or what it answers to the first call. */
const once = (args, figure) => (tools) => ({
  async sample() {
    const child = new Child('child.mjs', args, { node: tools.node, core: CLIENT_CORE });
    const value = await figure(child);
    await child.close();
    return { value };
  },
  async close() {},
});

/** Milliseconds of processor time from the start of a process until its first call is done. */
export const untilCalled = async (name, tools) =>
  once(['call', name], async (child) => {
    await child.next();
    return (await child.ask({ time: 0 })).used / 1000;
  })(tools);

/**
 * Milliseconds of processor time that the import of entry points takes; names stand for specifiers
 * in `entries`.
 */
export const imported = (entries) => async (name, tools) =>
  once(
    ['import', entries[name].join(' ')],
    async (child) => (await child.next()).used / 1000,
  )(tools);
