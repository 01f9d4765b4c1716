import { DEFAULT_USER_ID } from '../../base/request-factories.js';
import { storeName } from '../../base/vendor.js';

/** The description of a shop. */
export interface ShopIdentityOptions {
  /** e.g. `dev-shop.myshopify.com` */
  domain: string;
  /** @default derived from the domain */
  name?: string;
  /** Email address of the shop and its owner. @default `owner@<store>.example` */
  email?: string;
}

/** The person who uses the admin: owner of the shop and subject of its session tokens. */
export interface ShopUser {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  email_verified: boolean;
  account_owner: boolean;
  locale: string;
  collaborator: boolean;
}

/** The owner of every shop. */
const OWNER: Omit<ShopUser, 'id' | 'email'> = {
  first_name: 'Ada',
  last_name: 'Byrne',
  email_verified: true,
  account_owner: true,
  locale: 'en',
  collaborator: false,
};

/** The identity of a shop. */
export class ShopIdentity {
  readonly domain: string;
  readonly name: string;
  readonly email: string;
  /** The shop's number on the platform. */
  readonly id: number;
  readonly user: ShopUser;
  /** The codes of its currency and its country. */
  readonly currency = 'EUR';
  readonly country = 'IE';

  /** @param number index of the shop on its platform, from 1 */
  constructor(
    { domain, name, email }: ShopIdentityOptions,
    number: number,
    readonly createdAt: Date,
  ) {
    const store = storeName(domain);
    this.domain = domain;
    this.name =
      name ?? store.replace(/-+/g, ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
    this.email = email ?? `owner@${store}.example`;
    this.id = 60_000_000_000 + number;
    this.user = { ...OWNER, id: DEFAULT_USER_ID, email: this.email };
  }
}
