/** A definition of metafields that the platform has made. */
export interface StandardDefinition {
  /** The number in its id. */
  readonly id: number;
  readonly namespace: string;
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly validations: ReadonlyArray<{ readonly name: string; readonly value: string }>;
  /** What it may be a definition of. */
  readonly ownerTypes: readonly string[];
}

const CATALOG = ['PRODUCT', 'PRODUCTVARIANT'];

/** Where the definitions of the attributes of the taxonomy are. */
export const RESERVED_NAMESPACE = 'shopify';

function attribute(id: number, key: string, name: string): StandardDefinition {
  return {
    ...{ id, namespace: RESERVED_NAMESPACE, key, name, description: '' },
    ...{ type: 'list.metaobject_reference', validations: [], ownerTypes: ['PRODUCT'] },
  };
}

/**
 * The definitions of the platform that an app can enable. That of colors has an id of this
 * simulation.
 * @see https://shopify.dev/docs/apps/build/custom-data/metafields/list-of-standard-definitions
 */
export const STANDARD_DEFINITIONS: readonly StandardDefinition[] = [
  {
    ...{ id: 1, namespace: 'descriptors', key: 'subtitle', type: 'single_line_text_field' },
    ...{ name: 'Product subtitle', description: 'Used as a shorthand for a product name' },
    ...{ validations: [{ name: 'max', value: '70' }], ownerTypes: CATALOG },
  },
  {
    ...{ id: 2, namespace: 'descriptors', key: 'care_guide', type: 'multi_line_text_field' },
    name: 'Care guide',
    description: 'Instructions for taking care of a product or apparel',
    ...{ validations: [{ name: 'max', value: '500' }], ownerTypes: CATALOG },
  },
  {
    ...{ id: 3, namespace: 'facts', key: 'isbn', type: 'single_line_text_field' },
    ...{ name: 'ISBN', description: 'International Standard Book Number' },
    validations: [
      {
        name: 'regex',
        value: String.raw`^((\d{3})?([\-\s])?(\d{1,5})([\-\s])?(\d{1,7})([\-\s])?(\d{1,7})([\-\s])?(\d{1}|X))$`,
      },
    ],
    ownerTypes: CATALOG,
  },
  attribute(10_001, 'color-pattern', 'Color'),
  attribute(10_004, 'material', 'Material'),
];
