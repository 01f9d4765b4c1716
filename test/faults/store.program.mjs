// Stores sessions in a place and ends: the driver of SQLite keeps a file open for longer than its
// storage, as long as the process lives. A place that is to be left open is left by `kill -9`.
import { Session } from 'shopwright/sessions';

import { openStorage } from './app.facts.mjs';

const { place, sessions } = JSON.parse(process.argv[2]);
const storage = await openStorage(place);
for (const session of sessions) await storage.storeSession(new Session(session));
if (place.isLeftOpen) process.kill(process.pid, 'SIGKILL');
await storage.close();
