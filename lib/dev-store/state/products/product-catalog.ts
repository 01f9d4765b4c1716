import type { DevShop } from '../../dev-shop.js';
import { productPayload } from './product-payload.js';

/** A product's visibility, as the REST interface spells it. */
export type ProductStatus = (typeof PRODUCT_STATUSES)[number];
export const PRODUCT_STATUSES = ['active', 'archived', 'draft', 'unlisted'] as const;

/** One version of a product that can be bought. */
export interface ProductVariant {
  id: number;
  title: string;
  /** Decimal text in the shop's currency, e.g. `19.00`. */
  price: string;
  sku: string | null;
  position: number;
  createdAt: Date;
  updatedAt: Date;
}

/** A product of a simulated shop. */
export interface Product {
  id: number;
  title: string;
  descriptionHtml: string;
  vendor: string;
  productType: string;
  handle: string;
  status: ProductStatus;
  tags: string[];
  createdAt: Date;
  updatedAt: Date;
  variants: ProductVariant[];
}

/** What a product is made of; on an update, what changes. */
export interface ProductInput {
  title?: string;
  descriptionHtml?: string;
  vendor?: string;
  productType?: string;
  handle?: string;
  status?: ProductStatus;
  tags?: readonly string[];
  /** Replaces all variants. */
  variants?: ReadonlyArray<{ title?: string; price?: string; sku?: string | null }>;
}

/** A product the shop opens with; `price` is that of its one variant. */
export interface SeedProduct extends Omit<ProductInput, 'variants'> {
  title: string;
  price?: string;
  sku?: string;
}

/** Why an input was refused: the field at fault and the platform's words for it. */
export interface FieldProblem {
  field: 'title' | 'handle' | 'status' | 'price';
  message: string;
}

/** Either the product as it now stands, or why nothing changed. */
export type ProductChange = { product: Product; problems?: never } | { product?: never; problems: FieldProblem[] };

const LONGEST_TITLE = 255;
const PRICE = /^\d{1,12}(\.\d{1,2})?$/;

/** The products of one shop, in the order of their ids. */
export class ProductCatalog {
  private readonly products = new Map<number, Product>();

  /**
   * @param shop whose name is the vendor of products that name none, and whose apps hear of each change
   * @param lastId the id before the first one handed out; variants draw from the same numbers
   */
  constructor(
    private readonly shop: Pick<DevShop, 'name' | 'domain' | 'log' | 'deliver'>,
    private readonly now: () => Date,
    private lastId: number,
  ) {}

  all(): Product[] {
    return [...this.products.values()];
  }

  find(id: number): Product | undefined {
    return this.products.get(id);
  }

  /** Adds products that were there all along: nobody is told. @throws TypeError when one is refused */
  seed(products: readonly SeedProduct[]): void {
    for (const { price, sku, ...input } of products) {
      const { problems } = this.add({ ...input, variants: [{ ...(price ? { price } : {}), ...(sku ? { sku } : {}) }] });
      if (problems)
        throw new TypeError(
          `The seed product "${input.title}" of ${this.shop.domain} is refused: ${problems.map((p) => `${p.field} ${p.message}`).join(', ')}.`,
        );
    }
  }

  create(input: ProductInput): ProductChange {
    const change = this.add(input);
    if (change.product) this.announce('create', change.product);
    return change;
  }

  /** Undefined when there is no such product. */
  update(id: number, input: ProductInput): ProductChange | undefined {
    const product = this.products.get(id);
    if (!product) return undefined;
    const problems = this.problemsOf(input, product);
    if (problems.length > 0) return { problems };
    const at = this.now();
    if (input.title !== undefined) product.title = input.title.trim();
    if (input.descriptionHtml !== undefined) product.descriptionHtml = input.descriptionHtml;
    if (input.vendor !== undefined) product.vendor = input.vendor;
    if (input.productType !== undefined) product.productType = input.productType;
    if (input.handle) product.handle = slug(input.handle);
    if (input.status !== undefined) product.status = input.status;
    if (input.tags !== undefined) product.tags = cleanTags(input.tags);
    if (input.variants !== undefined) product.variants = this.makeVariants(input.variants.length > 0 ? input.variants : [{}], at);
    product.updatedAt = at;
    this.announce('update', product);
    return { product };
  }

  /** Whether there was such a product. */
  delete(id: number): boolean {
    const product = this.products.get(id);
    if (!product) return false;
    this.products.delete(id);
    this.announce('delete', product);
    return true;
  }

  private add(input: ProductInput): ProductChange {
    const problems = this.problemsOf({ ...input, title: input.title ?? '' });
    if (problems.length > 0) return { problems };
    const at = this.now();
    const title = (input.title ?? '').trim();
    const product: Product = {
      id: ++this.lastId,
      title,
      descriptionHtml: input.descriptionHtml ?? '',
      vendor: input.vendor ?? this.shop.name,
      productType: input.productType ?? '',
      handle: this.freeHandle(input.handle || title),
      status: input.status ?? 'active',
      tags: cleanTags(input.tags ?? []),
      createdAt: at,
      updatedAt: at,
      variants: this.makeVariants(input.variants ?? [{}], at),
    };
    this.products.set(product.id, product);
    return { product };
  }

  /** Tells the apps, without waiting for them. */
  private announce(action: 'create' | 'update' | 'delete', product: Product): void {
    this.shop.log.add({ kind: 'product', summary: `${product.title}: ${action}d` });
    void this.shop.deliver(`products/${action}`, action === 'delete' ? { id: product.id } : productPayload(product));
  }

  private problemsOf(input: ProductInput, current?: Product): FieldProblem[] {
    const problems: FieldProblem[] = [];
    if (input.title !== undefined && !input.title.trim()) problems.push({ field: 'title', message: "can't be blank" });
    if ((input.title?.length ?? 0) > LONGEST_TITLE)
      problems.push({ field: 'title', message: `is too long (maximum is ${LONGEST_TITLE} characters)` });
    const wanted = input.handle ? slug(input.handle) : undefined;
    if (wanted && this.all().some((product) => product !== current && product.handle === wanted)) {
      problems.push({ field: 'handle', message: 'has already been taken' });
    }
    if (input.status !== undefined && !PRODUCT_STATUSES.includes(input.status)) {
      problems.push({ field: 'status', message: 'is not included in the list' });
    }
    if (input.variants?.some(({ price }) => price !== undefined && !PRICE.test(price)))
      problems.push({ field: 'price', message: 'is not a number' });
    return problems;
  }

  private makeVariants(inputs: NonNullable<ProductInput['variants']>, at: Date): ProductVariant[] {
    return inputs.map((input, index) => ({
      id: ++this.lastId,
      title: input.title ?? 'Default Title',
      price: Number(input.price ?? 0).toFixed(2),
      sku: input.sku ?? null,
      position: index + 1,
      createdAt: at,
      updatedAt: at,
    }));
  }

  private freeHandle(text: string): string {
    const base = slug(text);
    const taken = new Set(this.all().map((product) => product.handle));
    let handle = base;
    for (let suffix = 1; taken.has(handle); suffix++) handle = `${base}-${suffix}`;
    return handle;
  }
}

function slug(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'product';
}

function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))].sort((a, b) => a.localeCompare(b, 'en'));
}
