/**
 * A field as the configuration file of an app defines it: the name of its type, or a table of it.
 * @see https://shopify.dev/docs/apps/build/custom-data/declarative-custom-data-definitions
 */
export type DeclaredField =
  | string
  | {
      readonly type: string;
      readonly name?: string;
      readonly description?: string;
      readonly required?: boolean;
    };

/** `[product.metafields.app.<key>]` and the like. */
export interface DeclaredOwner {
  readonly metafields?: { readonly app?: Readonly<Record<string, DeclaredField>> };
}

/** `[metaobjects.app.<type>]`. */
export interface DeclaredMetaobject {
  readonly name?: string;
  readonly description?: string;
  /** The key of the field whose value names its objects. */
  readonly display_name_field?: string;
  readonly fields?: Readonly<Record<string, DeclaredField>>;
}

/** What owns metafields, by its name in configuration files, with its type in the schema. */
const OWNERS = {
  product: 'Product',
  variant: 'ProductVariant',
  collection: 'Collection',
  customer: 'Customer',
  order: 'Order',
  draft_order: 'DraftOrder',
  company: 'Company',
  location: 'Location',
  market: 'Market',
  page: 'Page',
  blog: 'Blog',
  article: 'Article',
  shop: 'Shop',
} as const;

/** The definitions in the configuration file of an app. */
export type DeclaredDefinitions = {
  readonly [owner in keyof typeof OWNERS]?: DeclaredOwner;
} & {
  readonly metaobjects?: { readonly app?: Readonly<Record<string, DeclaredMetaobject>> };
};

/**
 * The type that the configuration of an app gives a metafield; undefined when it names none.
 * @param ownerType `DraftOrder` or, as in enumerations, `DRAFTORDER`
 */
export function declaredType(
  definitions: DeclaredDefinitions,
  ownerType: string,
  key: string,
): string | undefined {
  const entries = Object.entries(OWNERS) as [keyof typeof OWNERS, string][];
  const wanted = ownerType.toUpperCase();
  const owner = entries.find(([, type]) => type.toUpperCase() === wanted)?.[0];
  const field = owner && definitions[owner]?.metafields?.app?.[key];
  return field === undefined ? undefined : fieldOf(field).type;
}

/** The type in the schema of what an enumeration names, e.g. `DraftOrder` of `DRAFTORDER`. */
export function ownerTypeName(name: string): string {
  const known = Object.values(OWNERS).find((type) => type.toUpperCase() === name);
  return known ?? name.charAt(0) + name.slice(1).toLowerCase();
}

/** A field in its long form. */
export function fieldOf(field: DeclaredField): Exclude<DeclaredField, string> {
  return typeof field === 'string' ? { type: field } : field;
}

const RESERVED = '$app';

/**
 * A namespace of metafields, or a type of metaobjects, as it is stored: `$app` becomes
 * `app--<id>`, `$app:example` becomes `app--<id>--example`, anything else stays.
 */
export function storedName(name: string, appId: number): string {
  if (name === RESERVED) return `app--${appId}`;
  return name.startsWith(`${RESERVED}:`)
    ? `app--${appId}--${name.slice(RESERVED.length + 1)}`
    : name;
}

/** True unless the name is reserved for another app. */
export function isOwnName(stored: string, appId: number): boolean {
  const owner = /^app--(\d+)(?:--|$)/.exec(stored)?.[1];
  return owner === undefined || Number(owner) === appId;
}
