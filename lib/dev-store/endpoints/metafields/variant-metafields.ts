import { globalId } from '../../base/vendor.js';
import {
  checkedMetafield,
  write,
  type MetafieldCall,
  type MetafieldFields,
} from './metafield-input.js';

type Field = (args: BulkArgs, ...rest: unknown[]) => object;

interface VariantsInput {
  readonly variants?: ReadonlyArray<{
    readonly id?: string | null;
    readonly metafields?: readonly MetafieldFields[] | null;
  }> | null;
}

interface BulkArgs extends VariantsInput {
  readonly input?: VariantsInput;
}

interface BulkPayload {
  readonly productVariants?: ReadonlyArray<{ readonly id: string }> | null;
}

/**
 * The mutations of several variants, with the metafields of their input: nothing is written when
 * one is refused. @param root has the mutations
 */
export function withVariantMetafields(
  root: Readonly<Record<string, unknown>>,
  call: MetafieldCall,
): Record<string, unknown> {
  const mutation =
    (name: string): Field =>
    (args, ...rest) => {
      const inputs = args.variants ?? args.input?.variants ?? [];
      const path = args.input ? ['input', 'variants'] : ['variants'];
      const checked = inputs.map(({ id, metafields }, index) =>
        (metafields ?? []).map((input, at) => {
          const owner = id ?? globalId('ProductVariant', 0);
          const one = checkedMetafield(input, owner, at, call);
          if (!('code' in one)) return one;
          const field = [...path, String(index), 'metafields', String(at)];
          const code = args.input ? 'INVALID_METAFIELD' : 'INVALID_INPUT';
          return { code, field, message: one.message };
        }),
      );
      const userErrors = checked.flat().filter((one) => 'code' in one);
      if (userErrors.length > 0) return { product: null, productVariants: null, userErrors };
      const payload = (root[name] as Field)(args, ...rest) as BulkPayload;
      const written = payload.productVariants ?? [];
      for (const [index, metafields] of checked.entries()) {
        // The variants of a partial update are found by their ids, new ones by their place.
        const { id } = inputs[index] ?? {};
        const variant = id == null ? written[index] : written.find((one) => one.id === id);
        for (const one of metafields)
          if (variant && !('code' in one)) write(one, variant.id, call.shop.metafields);
      }
      return payload;
    };
  return Object.fromEntries(
    ['productSet', 'productVariantsBulkCreate', 'productVariantsBulkUpdate'].map((name) => [
      name,
      mutation(name),
    ]),
  );
}
