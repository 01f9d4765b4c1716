import { isFieldType, problemOfValue } from '../../base/typed-values.js';
import type {
  MetaobjectDefinition,
  MetaobjectFieldDefinition,
} from '../../state/metaobjects/metaobject-store.js';

/** Why an input was refused, in the platform's words. */
export interface MetaobjectError {
  readonly code: string;
  readonly field: string[] | null;
  readonly message: string;
  readonly elementKey?: string | null;
  readonly elementIndex?: number | null;
}

/** The values in the input of a mutation. */
export interface MetaobjectFields {
  handle?: string | null;
  fields?: readonly { key: string; value: string }[] | null;
  /** The JSON form of all values; those that are not named are removed. */
  values?: Readonly<Record<string, unknown>> | null;
}

/** A field in the input of a definition. */
export interface FieldDefinitionInput {
  key: string;
  name?: string | null;
  type?: string | null;
  description?: string | null;
  required?: boolean | null;
}

/** The values of an object after a change, and what is wrong with it. */
export function changedValues(
  definition: MetaobjectDefinition,
  before: Readonly<Record<string, string>>,
  input: MetaobjectFields,
): { values: Record<string, string>; problems: MetaobjectError[] } {
  const given = input.values
    ? Object.entries(input.values).map(([key, value]) => ({ key, value: textOf(value) }))
    : (input.fields ?? []);
  const values = new Map(input.values ? [] : Object.entries(before));
  const problems: MetaobjectError[] = [];
  const seen = new Set<string>();
  for (const [index, { key, value }] of given.entries()) {
    const at = { elementKey: key, field: ['metaobject', 'fields', String(index)] };
    const field = definition.fields.find((one) => one.key === key);
    if (!field) {
      const message = `Field definition "${key}" does not exist`;
      problems.push({ ...at, code: 'UNDEFINED_OBJECT_FIELD', message });
      continue;
    }
    if (seen.has(key)) {
      const message = `Field "${key}" duplicates other inputs`;
      problems.push({ ...at, code: 'DUPLICATE_FIELD_INPUT', message });
    }
    seen.add(key);
    const problem = value === '' ? undefined : problemOfValue(field.type, value);
    if (problem) problems.push({ ...at, code: 'INVALID_VALUE', message: problem });
    if (value === '') values.delete(key);
    else values.set(key, value);
  }
  for (const { key, name, required } of definition.fields)
    if (required && !values.has(key))
      problems.push({
        code: 'OBJECT_FIELD_REQUIRED',
        field: ['metaobject'],
        message: `${name} can't be blank`,
        elementKey: key,
      });
  return { values: Object.fromEntries(values), problems };
}

function textOf(value: unknown): string {
  if (value == null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A field of a definition, or why not. */
export function checkedField(
  input: FieldDefinitionInput,
  index: number,
): MetaobjectFieldDefinition | MetaobjectError {
  const { key, name, type, description, required } = input;
  const at = { elementKey: key, field: ['definition', 'fieldDefinitions', String(index)] };
  if (!/^[\w-]{2,64}$/.test(key)) return { ...at, code: 'INVALID', message: 'Key is invalid' };
  if (!type || !isFieldType(type))
    return { ...at, code: 'INCLUSION', message: `Type ${type ?? ''} is not included` };
  return {
    key,
    type,
    name: name ?? title(key),
    description: description ?? null,
    required: required ?? false,
  };
}

/** `demo_info` → `Demo info`. */
export function title(key: string): string {
  const words = key.replace(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
