import { cleanTags, raisedHandle, slug } from '../../base/text-values.js';
import type { IdSequence } from '../id-sequence.js';
import type { NodeStore } from '../nodes/node-store.js';
import type { ShopContext } from '../shop/shop.context.js';
import {
  PRODUCT_STATUSES,
  type CatalogVariant,
  type FieldProblem,
  type Product,
  type ProductChange,
  type ProductInput,
  type ProductVariant,
  type SeedProduct,
  type VariantChange,
  type VariantInput,
} from './product.js';
import { arrange, isStandalone, newOption } from './product-options.js';
import { productResource } from './product-images.js';
import { isPrice, newVariant, setVariant } from './product-variants.js';

const LONGEST_TEXT = 255;
const TEXTS = ['title', 'handle', 'vendor', 'product_type'] as const;

/** The products of one shop, in the order of their ids. */
export class ProductCatalog {
  private readonly products = new Map<number, Product>();

  /**
   * @param shop its name is the default vendor, and its apps are notified of each change
   * @param ids of products, variants and options
   * @param stocked the location that stocks a new variant
   * @param publishedAt since when a product is on the online store
   * @param nodes the media of products
   */
  constructor(
    private readonly shop: Pick<ShopContext, 'identity' | 'now' | 'log' | 'dispatcher'>,
    readonly ids: IdSequence,
    private readonly stocked: () => string | undefined,
    private readonly publishedAt: (product: Product) => string | null,
    private readonly nodes: NodeStore,
  ) {}

  all(): Product[] {
    return [...this.products.values()];
  }

  find(id: number): Product | undefined {
    return this.products.get(id);
  }

  /** The variant with a number, and its product. */
  variant(id: number | null | undefined): CatalogVariant | undefined {
    for (const product of this.products.values()) {
      const variant = product.variants.find((one) => one.id === id);
      if (variant) return { id: variant.id, product, variant };
    }
    return undefined;
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

  /** @param completed is called with the product, before the apps are notified */
  create(input: ProductInput, completed?: (product: Product) => void): ProductChange {
    const change = this.add(input);
    if (change.product && completed) {
      completed(change.product);
      arrange(change.product, this.ids);
    }
    if (change.product) this.notifyApps('create', change.product);
    return change;
  }

  /**
   * Undefined when there is no such product.
   * @param completed is called with the product, before the apps are notified
   */
  update(
    id: number,
    input: ProductInput,
    completed?: (product: Product) => void,
  ): ProductChange | undefined {
    const product = this.products.get(id);
    if (!product) return undefined;
    const problems = this.problemsOf(input, product);
    if (problems.length > 0) return { problems };
    if (input.title !== undefined) product.title = input.title.trim();
    if (input.descriptionHtml !== undefined) product.descriptionHtml = input.descriptionHtml;
    if (input.vendor !== undefined) product.vendor = input.vendor;
    if (input.productType !== undefined) product.productType = input.productType;
    if (input.handle !== undefined) product.handle = this.handleIn(input.handle, product);
    if (input.status !== undefined) product.status = input.status;
    if (input.tags !== undefined) product.tags = cleanTags(input.tags);
    if (input.variants !== undefined)
      product.variants = this.replaced(product, input.variants.length > 0 ? input.variants : [{}]);
    completed?.(product);
    this.changed(product);
    return { product };
  }

  /**
   * Changes variants of a product and notifies the apps once. The ids are those of the product's
   * variants, the prices such that `isPrice` holds.
   */
  updateVariants(product: Product, changes: readonly VariantChange[]): void {
    for (const change of changes) {
      const variant = product.variants.find(({ id }) => id === change.id);
      if (variant) this.set(variant, change);
    }
    this.changed(product);
  }

  /** Puts the options and variants of a product in order after a change, and notifies the apps. */
  changed(product: Product): void {
    arrange(product, this.ids);
    product.updatedAt = this.shop.now();
    this.notifyApps('update', product);
  }

  /**
   * Adds variants to a product and notifies the apps once. They take the place of the variant that
   * a product has from the beginning, unless it is preserved. The prices are such that `isPrice`
   * holds.
   * @param completed is called with each, before the apps are notified
   */
  addVariants(
    product: Product,
    inputs: readonly VariantInput[],
    { preserveDefault = false }: { preserveDefault?: boolean } = {},
    completed: (variant: ProductVariant, index: number) => void = () => undefined,
  ): ProductVariant[] {
    const kept = isStandalone(product) && !preserveDefault ? [] : product.variants;
    const added = inputs.map((input) => this.made(input));
    added.forEach(completed);
    product.variants = [...kept, ...added];
    this.changed(product);
    return added;
  }

  /** Removes variants of a product, of which one must stay, and notifies the apps once. */
  deleteVariants(product: Product, ids: readonly number[]): void {
    product.variants = product.variants.filter(({ id }) => !ids.includes(id));
    this.changed(product);
  }

  /** A new variant, which is part of no product yet. The prices are such that `isPrice` holds. */
  made(input: VariantInput): ProductVariant {
    return newVariant(input, this.ids.next(), this.stocked(), this.shop.now());
  }

  /** Changes a variant without notifying the apps. The prices are such that `isPrice` holds. */
  set(variant: ProductVariant, input: VariantInput): void {
    setVariant(variant, input, this.shop.now());
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
    const { publishedAt } = this;
    const product: Product = {
      id: this.ids.next(),
      title,
      descriptionHtml: input.descriptionHtml ?? '',
      vendor: input.vendor ?? this.shop.identity.name,
      productType: input.productType ?? '',
      handle: this.handleIn(input.handle ?? '', { title }),
      status: input.status ?? 'active',
      tags: cleanTags(input.tags ?? []),
      createdAt: at,
      updatedAt: at,
      get publishedAt() {
        return publishedAt(product);
      },
      options: (input.options ?? []).map((option) => newOption(option, this.ids)),
      variants: (input.variants ?? [{}]).map((one) => this.made(one)),
    };
    arrange(product, this.ids);
    this.products.set(product.id, product);
    return { product };
  }

  /** Notifies the apps, without waiting for them. */
  private notifyApps(action: 'create' | 'update' | 'delete', product: Product): void {
    this.shop.log.add({ kind: 'product', summary: `${product.title}: ${action}d` });
    void this.shop.dispatcher.deliver(
      `products/${action}`,
      action === 'delete' ? { id: product.id } : productResource(product, this.nodes),
    );
  }

  private problemsOf(input: ProductInput, current?: Product): FieldProblem[] {
    const problems: FieldProblem[] = [];
    if (input.title !== undefined && !input.title.trim())
      problems.push({ field: 'title', message: "can't be blank" });
    const { title, handle, vendor, productType } = input;
    const texts = { title, handle, vendor, product_type: productType };
    for (const field of TEXTS)
      if ((texts[field]?.length ?? 0) > LONGEST_TEXT)
        problems.push({ field, message: `is too long (maximum is ${LONGEST_TEXT} characters)` });
    if (input.tags?.some((tag) => tag.trim().length > LONGEST_TEXT))
      problems.push({ field: 'tags', message: 'is invalid' });
    const wanted = slug(input.handle ?? '');
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

  /** The variants of an input, of which some may be there already. */
  private replaced({ variants }: Product, inputs: readonly VariantInput[]): ProductVariant[] {
    return inputs.map((input) => {
      const known = variants.find(({ id }) => id === input.id);
      if (known) this.set(known, input);
      return known ?? this.made(input);
    });
  }

  /** What an input gives; for a blank one that of the title, for one of signs a made-up one. */
  private handleIn(given: string, current: Pick<Product, 'title'>): string {
    const base = slug(given) || (given.trim() ? '' : slug(current.title));
    const others = this.all().filter((product) => product !== current);
    return raisedHandle(base || 'product', new Set(others.map(({ handle }) => handle)));
  }
}
