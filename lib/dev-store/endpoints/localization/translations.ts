import { createHash } from 'node:crypto';
import { capital } from '../../base/text-values.js';
import { globalId, idOf } from '../../base/vendor.js';
import type { NodeStore } from '../../state/nodes/node-store.js';
import type { ProductCatalog } from '../../state/products/product-catalog.js';
import { typeOfId } from '../nodes/node-reader.js';
import { isBlank } from '../nodes/user-errors.js';
import { PRIMARY } from './locales.table.js';
import { allTranslations, TRANSLATIONS, type Translation } from './translation-fields.js';

/** A text of a resource that can be translated. */
export interface Content {
  readonly key: string;
  readonly value: string;
  readonly type: string;
  readonly locale: string;
  /** SHA-256 of the value, which says what was translated. */
  readonly digest: string;
}

/** A field that can be translated: its key, where its value is, its type, if it is there empty. */
type Translatable = readonly [key: string, field: string, type: string, isAlways?: boolean];

const LINE = 'SINGLE_LINE_TEXT_FIELD';
const TITLE: Translatable = ['title', 'title', LINE];
const HANDLE: Translatable = ['handle', 'handle', 'URI'];
const ENTRY: readonly Translatable[] = [TITLE, ['body_html', 'body', 'HTML'], HANDLE];

/** What can be translated, by type. */
const FIELDS: Readonly<Record<string, readonly Translatable[]>> = {
  Product: [
    TITLE,
    ['body_html', 'descriptionHtml', 'HTML'],
    HANDLE,
    ['product_type', 'productType', LINE, true],
  ],
  Collection: [TITLE, ['body_html', 'descriptionHtml', 'HTML'], HANDLE],
  Page: ENTRY,
  Article: ENTRY,
  Blog: [TITLE, HANDLE],
  Menu: [TITLE],
  Metafield: [['value', 'value', LINE]],
  SellingPlanGroup: [
    ['name', 'name', LINE],
    ['description', 'description', LINE],
  ],
};

/** The types of resources by how queries call them. */
export function resourceType(name: string): string {
  return name.toLowerCase().split('_').map(capital).join('');
}

/** What the texts of resources are read from. */
interface TranslatableShop {
  readonly nodes: NodeStore;
  readonly catalog: ProductCatalog;
  /** The view of what is kept elsewhere. */
  readonly view: (id: string) => object | null;
}

/** The ids of the resources of a type that a shop has. */
export function resourcesOf({ nodes, catalog }: TranslatableShop, type: string): string[] {
  if (!(type in FIELDS)) return [];
  return type === 'Product'
    ? catalog.all().map(({ id }) => globalId('Product', id))
    : nodes.all([type]).map(({ id }) => id);
}

/** The texts of a resource that can be translated; undefined for an id that nothing has. */
export function contentOf(shop: TranslatableShop, id: string): Content[] | undefined {
  const type = typeOfId(id);
  const fields = FIELDS[type];
  const product = shop.catalog.find(idOf('Product', id) ?? NaN);
  const values = product ?? shop.nodes.find(id)?.fields ?? shop.view(id);
  if (!fields || !values) return undefined;
  return fields.flatMap(([key, field, kind, isAlways]) => {
    const value = (values as Readonly<Record<string, unknown>>)[field];
    if (isBlank(value) && !isAlways) return [];
    const text = String(value ?? '');
    return [{ key, value: text, type: kind, locale: PRIMARY, digest: digestOf(text) }];
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Keeps these translations, and no others. */
export function keepTranslations(nodes: NodeStore, all: readonly Translation[]): void {
  nodes.update(TRANSLATIONS, { all });
}

/** Drops what was translated into a language. */
export function forgetTranslations(nodes: NodeStore, locale: string): void {
  keepTranslations(
    nodes,
    allTranslations(nodes).filter((one) => one.locale !== locale),
  );
}

/** Whether two translations are of the same text, into the same language for the same market. */
export function isSameText(
  one: Pick<Translation, 'resource' | 'key' | 'locale' | 'market'>,
  other: Pick<Translation, 'resource' | 'key' | 'locale' | 'market'>,
): boolean {
  return (['resource', 'key', 'locale', 'market'] as const).every(
    (name) => one[name] === other[name],
  );
}
