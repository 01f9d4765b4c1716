import { apiChecks } from '../doctor/api-checks.js';
import { ExaminedApp } from '../doctor/examined-app.js';
import type { ExaminedAppOptions } from '../doctor/examined-app.js';
import type { Check, Finding } from '../doctor/finding.js';
import { oauthChecks } from '../doctor/oauth-checks.js';
import { pageChecks } from '../doctor/page-checks.js';
import { transportChecks } from '../doctor/transport-checks.js';
import { webhookChecks } from '../doctor/webhook-checks.js';
import { whyUnanswered } from '../exchange.js';
import type { Output } from '../output.js';
import { printable } from '../printable.js';

/** How {@link examineApp} looks at an app. */
interface DoctorOptions extends ExaminedAppOptions {
  /** Writes a line of JSON for each finding. @default false */
  readonly json?: boolean | undefined;
  /** How long a delivery may take, in milliseconds. @default 5,000 */
  readonly longestWait?: number | undefined;
}

/**
 * Examines a running app from outside, as a review of the platform does, and prints what was found
 * with the fix for each failure.
 * @returns the exit code: 1 when a check has failed
 * @see https://shopify.dev/docs/apps/launch/app-requirements-checklist
 */
export async function examineApp(
  { json = false, longestWait, ...options }: DoctorOptions,
  { stdout }: Output,
): Promise<number> {
  const app = new ExaminedApp(options);
  const { secret, signal } = options;
  const clean = (text: string): string => printable(text, secret === undefined ? [] : [secret]);
  const checks = [
    ...transportChecks(app),
    ...webhookChecks(app, longestWait),
    ...oauthChecks(app),
    ...apiChecks(app),
    // Last: what errors show is looked for in all answers.
    ...pageChecks(app),
  ];
  const counts = { pass: 0, fail: 0, skip: 0 };
  if (!json) stdout.write(`${app.url.href}, as the shop ${app.shop}\n`);
  for (const check of checks) {
    if (signal?.aborted) break;
    const found = await findingOf(check);
    const finding = { ...found, seen: clean(found.seen) };
    counts[finding.outcome]++;
    const lines = json ? [JSON.stringify(finding)] : linesOf(finding);
    for (const line of lines) stdout.write(`${line}\n`);
  }
  const { pass, fail, skip } = counts;
  if (!json) stdout.write(`${pass} passed, ${fail} failed, ${skip} left out.\n`);
  return fail > 0 || signal?.aborted ? 1 : 0;
}

async function findingOf({ name, fix, look }: Check): Promise<Finding> {
  try {
    const [outcome, seen] = await look();
    return { check: name, outcome, seen, ...(outcome === 'fail' && { fix }) };
  } catch (error) {
    return { check: name, outcome: 'fail', seen: whyUnanswered(error), fix };
  }
}

function linesOf({ check, outcome, seen, fix }: Finding): string[] {
  return [`${outcome} ${check}: ${seen}`, ...(fix === undefined ? [] : [`     fix: ${fix}`])];
}
