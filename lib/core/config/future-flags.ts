/**
 * Flags of the platform's own packages. What most of them switch on is what the toolkit always
 * does.
 */
export interface FutureFlags {
  /** The same as the option of this name, which takes precedence. */
  readonly expiringOfflineAccessTokens?: boolean | undefined;
  /** Always on in embedded apps. Set, shops are not asked for scopes that they lack. */
  readonly tokenExchange?: boolean | undefined;
  /** Always on in embedded apps. Set, shops are not asked for scopes that they lack. */
  readonly unstable_newEmbeddedAuthStrategy?: boolean | undefined;
  /** Always on. */
  readonly customerAddressDefaultFix?: boolean | undefined;
  /** Always on. */
  readonly lineItemBilling?: boolean | undefined;
  /** Plans need not be configured here; `billing.check` answers what `returnObject` says. */
  readonly unstable_managedPricingSupport?: boolean | undefined;
  /** Always on. */
  readonly v3_authenticatePublic?: boolean | undefined;
  /** Always on. */
  readonly v3_lineItemBilling?: boolean | undefined;
  /** Always on. */
  readonly v3_webhookAdminContext?: boolean | undefined;
  /** Always on. */
  readonly wip_optionalScopesApi?: boolean | undefined;
  /** `admin.rest` stays; an app that does not use it loses nothing. */
  readonly removeRest?: boolean | undefined;
}

type Flag = keyof FutureFlags;

const ALWAYS_ON = 'the toolkit always does what it switches on';
/** Why a flag makes no difference, for the values that would have made one. */
const NOT_HONOURED: Readonly<Record<Flag, readonly [value: boolean, reason: string] | undefined>> =
  {
    expiringOfflineAccessTokens: undefined,
    removeRest: undefined,
    tokenExchange: [false, ALWAYS_ON],
    unstable_newEmbeddedAuthStrategy: [false, ALWAYS_ON],
    customerAddressDefaultFix: [false, ALWAYS_ON],
    lineItemBilling: [false, ALWAYS_ON],
    unstable_managedPricingSupport: [
      true,
      'billing.check() answers an object when it is called with returnObject: true',
    ],
    v3_authenticatePublic: [false, ALWAYS_ON],
    v3_lineItemBilling: [false, ALWAYS_ON],
    v3_webhookAdminContext: [false, ALWAYS_ON],
    wip_optionalScopesApi: [false, ALWAYS_ON],
  };

/** Says of each flag that is not honoured why; also of those that nobody knows. */
export function flagNotices(future: FutureFlags): string[] {
  return Object.entries(future).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!Object.hasOwn(NOT_HONOURED, name)) return [`${name} is unknown`];
    const [ignored, reason] = NOT_HONOURED[name as Flag] ?? [];
    return value === ignored ? [`${name}: ${value} has no effect: ${reason}`] : [];
  });
}
