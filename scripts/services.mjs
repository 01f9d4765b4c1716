// Starts the servers that `npm run test:services` needs and prints how to reach them; what runs
// already is left alone. `npm run services -- stop` stops what was started here. Names narrow it
// down: `node scripts/services.mjs stop postgres`.
import { installMissing } from './install.mjs';

installMissing();
// Only now are the drivers there that ask the servers whether they are ready.
const { SERVICES } = await import('./services/index.mjs');
const { start, stop } = await import('./services/server.mjs');
const { installPackages } = await import('./services/debian.mjs');

const [action = 'start', ...names] = process.argv.slice(2);
const unknown = names.filter((name) => !SERVICES.some(({ id }) => id === name));
if (action !== 'start' && action !== 'stop')
  throw new Error(`Say "start" or "stop", not "${action}".`);
if (unknown.length)
  throw new Error(
    `Unknown: ${unknown.join(', ')}. Servers: ${SERVICES.map(({ id }) => id).join(', ')}.`,
  );
const chosen = SERVICES.filter(({ id }) => names.length === 0 || names.includes(id));

try {
  if (action === 'start') await installPackages(chosen);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
await Promise.all(
  chosen.map(async (service) => {
    try {
      const lines = [`${service.name} ${await { start, stop }[action](service)}`];
      if (action === 'start') lines.push(`${service.variable}=${service.url}`);
      console.log(lines.join('\n'));
    } catch (error) {
      console.error(error.message);
      process.exitCode = 1;
    }
  }),
);
