import type { PlatformConfig } from '../../core/config/platform.config.js';
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

/** Where a login form leads: the start of OAuth, or back to the form with what is wrong. */
export async function loginOutcome(request: Request, config: PlatformConfig): Promise<URL | LoginError> {
  const typed = await shopIn(request);
  if (!typed) return request.method === 'GET' ? {} : { shop: LoginErrorType.MissingShop };
  const shop = shopTyped(typed);
  if (shop === null) return { shop: LoginErrorType.InvalidShop };
  const start = new URL(config.appPath(config.paths.auth));
  start.searchParams.set(QUERY.shop, shop);
  return start;
}

async function shopIn(request: Request): Promise<string | undefined> {
  const inQuery = new URL(request.url).searchParams.get(QUERY.shop);
  if (inQuery || request.method === 'GET') return inQuery?.trim();
  // A body that is no form names no shop.
  const form = await request.formData().catch(() => undefined);
  const inForm = form?.get(QUERY.shop);
  return typeof inForm === 'string' ? inForm.trim() : undefined;
}
