import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SCRIPT = fileURLToPath(new URL('../../scripts/services.mjs', import.meta.url));
const run = promisify(execFile);

/** The servers that tests may stop and start. */
export type Server = 'redis' | 'postgres' | 'mysql' | 'mongodb';

/**
 * Ends a server in an orderly way, with whoever is connected, and resolves when it has ended. Its
 * data stays. @throws when it is not ours to stop
 */
export async function stopServer(server: Server): Promise<void> {
  const { stdout } = await run(process.execPath, [SCRIPT, 'stop', server]);
  if (!stdout.includes(' stopped'))
    throw new Error(`${stdout.trim()}. Only servers started by "npm run services" can be stopped.`);
}

/** Starts a server that was stopped, and resolves when it is ready for work. */
export async function startServer(server: Server): Promise<void> {
  await run(process.execPath, [SCRIPT, 'start', server]);
}
