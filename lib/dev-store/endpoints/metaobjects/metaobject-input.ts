import { problemOfValue } from '../../base/typed-values.js';
import type { MetaobjectDefinition } from '../../state/metaobjects/metaobject-store.js';

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
  /** Whether the page of the object is redirected to that of its new handle. */
  redirectNewHandle?: boolean | null;
  fields?: readonly { key: string; value: string }[] | null;
  /** The JSON form of all values; those that are not named are removed. */
  values?: Readonly<Record<string, unknown>> | null;
  /** What is set of the capabilities of the type. */
  capabilities?: Readonly<Record<string, object | null>> | null;
}

/** How long a handle may be. */
const LONGEST_HANDLE = 255;

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
  const places = new Map<string, number>();
  for (const [index, { key, value }] of given.entries()) {
    const at = { elementKey: key, field: ['metaobject', 'fields', String(index)] };
    const field = definition.fields.find((one) => one.key === key);
    if (!field) {
      const message = `Field definition "${key}" does not exist`;
      problems.push({ ...at, code: 'UNDEFINED_OBJECT_FIELD', message });
      continue;
    }
    const isTwice = places.has(key);
    if (isTwice) {
      const message = `Field "${key}" duplicates other inputs`;
      problems.push({ ...at, code: 'DUPLICATE_FIELD_INPUT', message });
    }
    places.set(key, index);
    const problem = value === '' ? undefined : problemOfValue(field.type, value);
    if (problem) problems.push({ ...at, code: 'INVALID_VALUE', message: problem });
    // Of two values neither counts.
    if (value === '' || isTwice) values.delete(key);
    else values.set(key, value);
  }
  for (const { key, name, required } of definition.fields) {
    const index = places.get(key);
    if (required && !values.has(key))
      problems.push({
        code: 'OBJECT_FIELD_REQUIRED',
        field: index === undefined ? ['metaobject'] : ['metaobject', 'fields', String(index)],
        message: `${name} can't be blank`,
        elementKey: key,
      });
  }
  return { values: Object.fromEntries(values), problems };
}

/** Why what is set of the capabilities of a type is refused: it does not have them. */
export function capabilityProblems(
  { capabilities: known }: MetaobjectDefinition,
  given: MetaobjectFields['capabilities'],
): MetaobjectError[] {
  const order = ['publishable', 'onlineStore'];
  return order.flatMap((name) =>
    given?.[name] == null || known[name]?.enabled
      ? []
      : [
          {
            code: 'CAPABILITY_NOT_ENABLED',
            field: ['metaobject', 'capabilities', name],
            message: `Capability is not enabled: ${name.replace('S', '_s')}`,
          },
        ],
  );
}

/** Why a handle is refused. @param field where it stands in the input */
export function handleProblems(handle: string, field: string[]): MetaobjectError[] {
  const tooLong = `Handle is too long (maximum is ${LONGEST_HANDLE} characters)`;
  const checks: Array<readonly [boolean, string, string]> = [
    [handle === '', 'BLANK', "Handle can't be blank"],
    [handle.length > LONGEST_HANDLE, 'TOO_LONG', tooLong],
    [!/^[a-z0-9][\w-]*$/i.test(handle), 'INVALID', 'Handle is invalid'],
  ];
  return checks.flatMap(([applies, code, message]) => (applies ? [{ code, field, message }] : []));
}

function textOf(value: unknown): string {
  if (value == null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
