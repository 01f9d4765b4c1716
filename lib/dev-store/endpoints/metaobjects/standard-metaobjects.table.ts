import type { MetaobjectFieldDefinition } from '../../state/metaobjects/metaobject-store.js';
import { title } from './metaobject-definition-input.js';

/** A definition that the platform has made. */
interface StandardMetaobject {
  readonly name: string;
  readonly description: string | null;
  readonly displayNameKey: string;
  /** Whether storefronts read its objects. */
  readonly isPublic: boolean;
  readonly fields: readonly MetaobjectFieldDefinition[];
}

const BASE = 'Base values map to standards for better search and organization';

function field(
  key: string,
  type: string,
  more: Partial<MetaobjectFieldDefinition> = {},
): MetaobjectFieldDefinition {
  return {
    ...{ key, type, name: title(key), description: null, required: false, validations: [] },
    ...more,
  };
}

const LABEL = field('label', 'single_line_text_field', {
  required: true,
  validations: [{ name: 'max', value: '255' }],
});

/** A reference to values of an attribute of the taxonomy of products. */
function taxonomy(
  key: string,
  attribute: string,
  more: Partial<MetaobjectFieldDefinition> = {},
): MetaobjectFieldDefinition {
  const validations = [{ name: 'product_taxonomy_attribute_handle', value: attribute }];
  return field(key, more.type ?? 'product_taxonomy_value_reference', {
    ...{ description: BASE, required: true, name: `Base ${attribute.replace(/-/g, ' ')}` },
    ...more,
    validations: [...validations, ...(more.validations ?? [])],
  });
}

/** The attributes whose definition has a label and a value of the taxonomy. */
const ATTRIBUTES: readonly string[] = (
  'accessory-size age-group battery-type closure-type fabric finish fit-type flavor ' +
  'jewelry-material material neckline occasion one-piece-style pants-length-type ring-size ' +
  'shoe-size size sleeve-length-type style target-gender theme toe-style top-length-type ' +
  'waist-rise watch-band-material'
).split(' ');

const OTHERS: Readonly<Record<string, StandardMetaobject>> = {
  'qa-pair': {
    name: 'Question and Answer Pairs',
    description: "Question and answer pairs that describe a merchant's shop.",
    displayNameKey: 'question',
    isPublic: false,
    fields: [
      field('question', 'single_line_text_field', { required: true }),
      field('answer', 'multi_line_text_field', { required: true }),
      field('sources', 'list.link'),
    ],
  },
  'color-pattern': {
    name: 'Color',
    description: 'Defines the primary color or pattern, such as blue or striped',
    displayNameKey: 'label',
    isPublic: true,
    fields: [
      LABEL,
      field('color', 'color'),
      field('image', 'file_reference', {
        validations: [{ name: 'file_type_options', value: '["Image"]' }],
      }),
      taxonomy('color_taxonomy_reference', 'color', {
        type: 'list.product_taxonomy_value_reference',
        validations: [
          { name: 'list.min', value: '1' },
          { name: 'list.max', value: '4' },
        ],
      }),
      taxonomy('pattern_taxonomy_reference', 'pattern'),
    ],
  },
};

/**
 * The platform's own definition of a type such as `shopify--qa-pair`.
 * @see https://shopify.dev/docs/apps/build/metaobjects/list-of-standard-definitions
 */
export function standardMetaobject(type: string): StandardMetaobject | undefined {
  const [, handle = ''] = /^shopify--(.+)$/.exec(type) ?? [];
  if (!ATTRIBUTES.includes(handle)) return OTHERS[handle];
  return {
    name: title(handle),
    description: null,
    displayNameKey: 'label',
    isPublic: true,
    fields: [LABEL, taxonomy('taxonomy_reference', handle)],
  };
}
