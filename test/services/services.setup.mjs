import { redis } from '../../scripts/services/redis.mjs';

/** Fails the run when a server is missing: a test that was skipped proves nothing. Hands the addresses on to the tests. */
export default async function checkServices() {
  for (const { name, variables, answers } of [redis]) {
    if (!(await answers())) throw new Error(`${name} does not answer. Start it with: npm run services`);
    Object.assign(process.env, variables);
  }
}
