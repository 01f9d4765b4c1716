import { SERVICES } from '../../scripts/services/index.mjs';

/**
 * Fails the run when a server is missing: a test that was skipped proves nothing. Hands the
 * addresses on to the tests.
 */
export default async function checkServices() {
  const missing = [];
  for (const { name, variable, url, answers } of SERVICES) {
    if (!(await answers())) missing.push(name);
    process.env[variable] = url;
  }
  if (missing.length)
    throw new Error(`No answer from ${missing.join(', ')}. Start with: npm run services`);
}
