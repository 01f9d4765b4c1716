import type { PlatformConfig } from '../../core/config/platform-config.js';
import { RawBodyUnavailableError } from '../../core/core.errors.js';
import type { DeniedDecision } from '../../core/decision.js';
import { denialOfBody } from '../../core/http/body-denial.js';
import { readBody } from '../../core/http/web-http.js';
import { shopTyped } from '../../core/shop-domain.js';
import { QUERY } from '../../core/vendor.js';

export enum LoginErrorType {
  MissingShop = 'MISSING_SHOP',
  InvalidShop = 'INVALID_SHOP',
}

/** What is wrong with what a merchant typed; empty when the form has not been sent yet. */
export interface LoginError {
  readonly shop?: LoginErrorType | undefined;
}

/** In bytes. Far more than a form with the name of a shop in it can have. */
const LONGEST_FORM = 64 * 1024;

/**
 * Where a login form leads: the start of OAuth, or back to the form with what is wrong. A form that
 * is not read to its end is refused.
 */
export async function loginOutcome(
  request: Request,
  config: PlatformConfig,
): Promise<URL | LoginError | DeniedDecision> {
  const typed = await shopIn(request, config);
  if (typeof typed === 'object') return typed;
  if (!typed) return request.method === 'GET' ? {} : { shop: LoginErrorType.MissingShop };
  const shop = shopTyped(typed);
  if (shop === null) return { shop: LoginErrorType.InvalidShop };
  const start = new URL(config.appPath(config.paths.auth));
  start.searchParams.set(QUERY.shop, shop);
  return start;
}

async function shopIn(
  request: Request,
  config: PlatformConfig,
): Promise<string | undefined | DeniedDecision> {
  const inQuery = new URL(request.url).searchParams.get(QUERY.shop);
  if (inQuery || request.method === 'GET') return inQuery?.trim();
  const form = await formIn(request, config);
  if (form && 'kind' in form) return form;
  const inForm = form?.get(QUERY.shop);
  return typeof inForm === 'string' ? inForm.trim() : undefined;
}

/** A body that is no form, or was read before, is none. */
async function formIn(
  request: Request,
  { clock }: PlatformConfig,
): Promise<FormData | undefined | DeniedDecision> {
  try {
    const body = await readBody(request, LONGEST_FORM, clock);
    const headers = { 'content-type': request.headers.get('content-type') ?? '' };
    return await new Response(new Uint8Array(body), { headers }).formData().catch(() => undefined);
  } catch (error) {
    if (error instanceof RawBodyUnavailableError && error.reason === 'already_read')
      return undefined;
    return denialOfBody(error);
  }
}
