// What is measured, in a process of its own: `child.mjs <kind> <name>`. It tells when it is ready,
// and answers each message with figures.

/** Processor time of this process from its start, in microseconds. */
const used = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const reply = (message) => process.send(message);

const KINDS = {
  /** An HTTP server of servers.mjs: what it has used and handled so far. */
  async server(name) {
    const { SERVERS } = await import('./servers.mjs');
    let handled = 0;
    const server = await SERVERS[name](() => handled++);
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    process.on('message', () => reply({ used: used(), rss: process.memoryUsage.rss(), handled }));
    reply({ port: server.address().port });
  },

  /**
   * A function of calls.mjs: called once, or again and again for `time` milliseconds of processor
   * time; what a call takes, and the process used in all.
   */
  async call(name) {
    const { CALLS } = await import('./calls.mjs');
    const call = await CALLS[name]();
    process.on('message', async ({ time }) => {
      const batch = time > 0 ? 32 : 1;
      const start = used();
      let calls = 0;
      do {
        for (let index = 0; index < batch; index++) await call();
        calls += batch;
      } while (used() - start < time * 1000);
      reply({ used: used(), perCall: (used() - start) / calls });
    });
    reply({});
  },

  /** Entry points, one after the other; what their import takes. */
  async import(specifiers) {
    const start = used();
    for (const specifier of specifiers.split(' ')) await import(specifier);
    reply({ used: used() - start });
  },
};

process.on('disconnect', () => process.exit());
const [kind, name] = process.argv.slice(2);
await KINDS[kind](name);
