// Starts the Express example beside a simulated store.
import { fileURLToPath } from 'node:url';

import { runBesideStore } from './demo-program.mjs';

const PROGRAM = fileURLToPath(new URL('../examples/dist/express-app/app.js', import.meta.url));

/** Resolves when the app answers, see {@link runBesideStore}. */
export function startDemo(ports) {
  return runBesideStore({ args: [PROGRAM] }, ports);
}
