import { DEFAULT_USER_ID } from '../../base/request-factories.js';
import { OWNER, type DevShopOptions, type ShopUser } from '../shop.options.js';
import { storeName } from '../../base/vendor.js';

/** Who a shop is, to the apps and to its merchant. */
export class ShopIdentity {
  readonly domain: string;
  readonly name: string;
  readonly email: string;
  /** The shop's number on the platform. */
  readonly id: number;
  readonly user: ShopUser;

  /** @param number place of the shop on its platform, from 1 */
  constructor(
    { domain, name, email }: DevShopOptions,
    number: number,
    readonly createdAt: Date,
  ) {
    const store = storeName(domain);
    this.domain = domain;
    this.name = name ?? store.replace(/-+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    this.email = email ?? `owner@${store}.example`;
    this.id = 60_000_000_000 + number;
    this.user = { ...OWNER, id: DEFAULT_USER_ID, email: this.email };
  }
}
