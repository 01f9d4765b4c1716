import { denied } from '../../core/decision.js';
import type { HeaderList, ResponseDecision } from '../../core/decision.js';
import { HookFailedError } from '../lifecycle/lifecycle.errors.js';

/** For a browser whose request set off code of the app that failed. */
export const HOOK_FAILED = denied(
  500,
  'after_auth_failed',
  'The app was installed but could not finish setting itself up. Open it again.',
);

/**
 * What is answered when the app's code at a turning point of an installation has thrown: its own
 * `Response`, or that it failed. Rethrows what is not its doing.
 */
export async function answerOfHook(error: unknown): Promise<ResponseDecision> {
  if (error instanceof HookFailedError) return HOOK_FAILED;
  if (!(error instanceof Response)) throw error;
  const location = error.headers.get('location');
  const headers: HeaderList = [...error.headers].filter(([name]) => name !== 'location');
  if (location !== null) return { kind: 'redirect', location, reason: 'after_auth', headers };
  return {
    kind: 'document',
    status: error.status,
    html: await error.text(),
    reason: 'after_auth',
    headers,
  };
}
