import type { PlatformConfig } from '../core/config/platform-config.js';
import type { DocumentDecision } from '../core/decision.js';
import { frameAncestors } from '../core/http/content-security-policy.js';
import { PAGE_STYLE, html } from '../core/http/html.js';
import type { PlanDenyReason } from './billing.errors.js';

/** Seconds before the waiting page reloads itself. */
const RELOAD_AFTER = 2;

/** The messages for merchants and programs. */
export const MESSAGES: Readonly<Record<PlanDenyReason, string>> = {
  plan_required: 'This part of the app needs a plan that the store does not have.',
  plan_declined: 'The charge was not approved, so the plan of the store is as it was.',
  plan_pending: 'The approval of the charge has not been confirmed yet.',
};

interface Link {
  readonly title: string;
  readonly url: string;
}

interface BillingPageContext {
  readonly config: PlatformConfig;
  readonly shop: string;
}

/** A page that waits for a charge and reloads itself. */
export function waitingPage(context: BillingPageContext, url: string): DocumentDecision {
  const refresh = html`<meta http-equiv="refresh" content="${RELOAD_AFTER};url=${url}" />`;
  return page(
    context,
    'plan_pending',
    200,
    'Your approval is being confirmed. This takes a moment.',
    [{ title: 'Continue', url }],
    refresh,
  );
}

/** A page that says why the merchant cannot continue, and how they can. */
export function deniedPage(
  context: BillingPageContext,
  reason: PlanDenyReason,
  links: readonly Link[],
): DocumentDecision {
  return page(context, reason, 402, MESSAGES[reason], links);
}

function page(
  { config, shop }: BillingPageContext,
  reason: PlanDenyReason,
  status: number,
  message: string,
  links: readonly Link[],
  refresh = '',
): DocumentDecision {
  const head = html`<meta charset="utf-8" /><meta
      name="viewport"
      content="width=device-width, initial-scale=1"
    /><title>Plan</title>`;
  const anchors = links
    .map(({ title, url }) => html`<p><a href="${url}">${title}</a></p>`)
    .join('\n');
  return {
    kind: 'document',
    reason,
    status,
    html: `<!doctype html>\n<html lang="en">\n<head>${head}${refresh}${PAGE_STYLE}</head>\n<body><main>${html`<h1>${message}</h1>`}\n${anchors}</main></body>\n</html>\n`,
    headers: [['content-security-policy', `${frameAncestors(config, shop)} ${NOTHING_BUT_STYLE}`]],
  };
}

const NOTHING_BUT_STYLE =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';";
