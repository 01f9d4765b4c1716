// One host in a process of its own: `node host.process.mjs <name>`. Its parent asks for what it has
// noted.
import { follow, note, storage, takeNotes } from './hosts/app.mjs';

const OPEN = {
  express: async () => (await import('./hosts/express.mjs')).openBundle(),
  wired: async () => (await import('./hosts/express.mjs')).openWired(),
  'nest-express': async () => (await import('./hosts/nest.mjs')).openNestExpress(),
  'nest-fastify': async () => (await import('./hosts/nest.mjs')).openNestFastify(),
  remix: async () => (await import('./hosts/routes.mjs')).openRemix(),
  'react-router': async () => (await import('./hosts/routes.mjs')).openReactRouter(),
  'by-hand': async () => (await import('./hosts/express.mjs')).openByHand(),
};

await storage.restore();
const server = follow(await OPEN[process.argv[2]]());
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error) => note('crash', { message: String(error?.stack ?? error) }));
// What an app or an engine prints counts as its log.
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text) => {
    note('log', { line: String(text) });
    return true;
  };
}
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));

process.on('message', async ({ ask, id }) => {
  if (ask === 'notes') {
    await storage.restore();
    process.send({ id, answer: takeNotes() });
  }
  if (ask === 'processor') {
    takeNotes();
    const { user, system } = process.cpuUsage();
    process.send({ id, answer: user + system });
  }
});
process.on('disconnect', () => process.exit());
