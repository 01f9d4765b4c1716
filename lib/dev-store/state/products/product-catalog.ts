import type { IdSequence } from '../id-sequence.js';
import type { ShopContext } from '../shop/shop.context.js';
import {
  PRODUCT_STATUSES,
  type FieldProblem,
  type Product,
  type ProductChange,
  type ProductInput,
  type ProductVariant,
  type SeedProduct,
  type VariantChange,
  type VariantInput,
} from './product.js';
import { productPayload } from './product-payload.js';

const LONGEST_TITLE = 255;
/** The title of the variant of a product without options. */
const DEFAULT_TITLE = 'Default Title';
const PRICE = /^\d{1,12}(\.\d{1,2})?$/;

/** The products of one shop, in the order of their ids. */
export class ProductCatalog {
  private readonly products = new Map<number, Product>();

  /**
   * @param shop its name is the default vendor, and its apps are notified of each change
   * @param ids of products and variants
   */
  constructor(
    private readonly shop: Pick<ShopContext, 'identity' | 'now' | 'log' | 'dispatcher'>,
    private readonly ids: IdSequence,
  ) {}

  all(): Product[] {
    return [...this.products.values()];
  }

  find(id: number): Product | undefined {
    return this.products.get(id);
  }

  /** Adds products without notifying the apps. @throws TypeError when one is refused */
  seed(products: readonly SeedProduct[]): void {
    for (const { price, sku, barcode, ...input } of products) {
      const { problems } = this.add({
        ...input,
        variants: [
          {
            ...(price ? { price } : {}),
            ...(sku ? { sku } : {}),
            ...(barcode ? { barcode } : {}),
          },
        ],
      });
      if (problems)
        throw new TypeError(
          `The seed product "${input.title}" of ${this.shop.identity.domain} is refused: ${problems.map((p) => `${p.field} ${p.message}`).join(', ')}.`,
        );
    }
  }

  create(input: ProductInput): ProductChange {
    const change = this.add(input);
    if (change.product) this.notifyApps('create', change.product);
    return change;
  }

  /** Undefined when there is no such product. */
  update(id: number, input: ProductInput): ProductChange | undefined {
    const product = this.products.get(id);
    if (!product) return undefined;
    const problems = this.problemsOf(input, product);
    if (problems.length > 0) return { problems };
    const at = this.shop.now();
    if (input.title !== undefined) product.title = input.title.trim();
    if (input.descriptionHtml !== undefined) product.descriptionHtml = input.descriptionHtml;
    if (input.vendor !== undefined) product.vendor = input.vendor;
    if (input.productType !== undefined) product.productType = input.productType;
    if (input.handle) product.handle = slug(input.handle);
    if (input.status !== undefined) product.status = input.status;
    if (input.tags !== undefined) product.tags = cleanTags(input.tags);
    if (input.variants !== undefined)
      product.variants = this.makeVariants(input.variants.length > 0 ? input.variants : [{}], at);
    product.updatedAt = at;
    this.notifyApps('update', product);
    return { product };
  }

  /**
   * Changes variants of a product and notifies the apps once. The ids are those of the product's
   * variants, the prices such that `isPrice` holds.
   */
  updateVariants(product: Product, changes: readonly VariantChange[]): void {
    const at = this.shop.now();
    for (const { id, price, sku, barcode } of changes) {
      const variant = product.variants.find((one) => one.id === id);
      if (!variant) continue;
      if (price !== undefined) variant.price = money(price);
      if (sku !== undefined) variant.sku = sku;
      if (barcode !== undefined) variant.barcode = barcode;
      variant.updatedAt = at;
    }
    product.updatedAt = at;
    this.notifyApps('update', product);
  }

  /**
   * Adds variants to a product and notifies the apps once. They take the place of the variant that
   * a product has from the beginning, unless it is preserved. The prices are such that `isPrice`
   * holds.
   */
  addVariants(
    product: Product,
    inputs: readonly VariantInput[],
    { preserveDefault = false }: { preserveDefault?: boolean } = {},
  ): ProductVariant[] {
    const [first, ...others] = product.variants;
    const isDefault = others.length === 0 && first?.title === DEFAULT_TITLE;
    const kept = isDefault && !preserveDefault ? [] : product.variants;
    const added = this.makeVariants(inputs, this.shop.now());
    this.setVariants(product, [...kept, ...added]);
    return added;
  }

  /** Removes variants of a product, of which one must stay, and notifies the apps once. */
  deleteVariants(product: Product, ids: readonly number[]): void {
    this.setVariants(
      product,
      product.variants.filter(({ id }) => !ids.includes(id)),
    );
  }

  /** Returns whether there was such a product. */
  delete(id: number): boolean {
    const product = this.products.get(id);
    if (!product) return false;
    this.products.delete(id);
    this.notifyApps('delete', product);
    return true;
  }

  private add(input: ProductInput): ProductChange {
    const problems = this.problemsOf({ ...input, title: input.title ?? '' });
    if (problems.length > 0) return { problems };
    const at = this.shop.now();
    const title = (input.title ?? '').trim();
    const product: Product = {
      id: this.ids.next(),
      title,
      descriptionHtml: input.descriptionHtml ?? '',
      vendor: input.vendor ?? this.shop.identity.name,
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

  /** Notifies the apps, without waiting for them. */
  private notifyApps(action: 'create' | 'update' | 'delete', product: Product): void {
    this.shop.log.add({ kind: 'product', summary: `${product.title}: ${action}d` });
    void this.shop.dispatcher.deliver(
      `products/${action}`,
      action === 'delete' ? { id: product.id } : productPayload(product),
    );
  }

  private problemsOf(input: ProductInput, current?: Product): FieldProblem[] {
    const problems: FieldProblem[] = [];
    if (input.title !== undefined && !input.title.trim())
      problems.push({ field: 'title', message: "can't be blank" });
    if ((input.title?.length ?? 0) > LONGEST_TITLE)
      problems.push({
        field: 'title',
        message: `is too long (maximum is ${LONGEST_TITLE} characters)`,
      });
    const wanted = input.handle ? slug(input.handle) : undefined;
    if (wanted && this.all().some((product) => product !== current && product.handle === wanted)) {
      problems.push({ field: 'handle', message: 'has already been taken' });
    }
    if (input.status !== undefined && !PRODUCT_STATUSES.includes(input.status)) {
      problems.push({ field: 'status', message: 'is not included in the list' });
    }
    if (input.variants?.some(({ price }) => price !== undefined && !isPrice(price)))
      problems.push({ field: 'price', message: 'is not a number' });
    return problems;
  }

  private setVariants(product: Product, variants: ProductVariant[]): void {
    variants.forEach((variant, index) => (variant.position = index + 1));
    product.variants = variants;
    product.updatedAt = this.shop.now();
    this.notifyApps('update', product);
  }

  private makeVariants(inputs: readonly VariantInput[], at: Date): ProductVariant[] {
    return inputs.map((input, index) => ({
      id: this.ids.next(),
      title: input.title ?? DEFAULT_TITLE,
      price: money(input.price ?? '0'),
      sku: input.sku ?? null,
      barcode: input.barcode ?? null,
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

/** True for an amount of money: digits, with at most two decimals. */
export function isPrice(text: string): boolean {
  return PRICE.test(text);
}

/** An amount with two decimals, e.g. `19.00`. */
function money(amount: string): string {
  return Number(amount).toFixed(2);
}

function slug(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'product';
}

function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))].sort((a, b) =>
    a.localeCompare(b, 'en'),
  );
}
