import { isOwnName, storedName } from '../../base/custom-data.js';
import { capital } from '../../base/text-values.js';
import { isFieldType } from '../../base/typed-values.js';
import type {
  MetaobjectAccess,
  MetaobjectCapabilities,
  MetaobjectDefinition,
  MetaobjectFieldDefinition,
} from '../../state/metaobjects/metaobject-store.js';
import type { MetaobjectError } from './metaobject-input.js';

/** A field in the input of a definition. */
export interface FieldDefinitionInput {
  key: string;
  name?: string | null;
  type?: string | null;
  description?: string | null;
  required?: boolean | null;
  validations?: MetaobjectFieldDefinition['validations'] | null;
}

/** The settings in the input of a definition. */
export interface DefinitionSettings {
  name?: string | null;
  description?: string | null;
  displayNameKey?: string | null;
  access?: { [K in keyof MetaobjectAccess]?: string | null } | null;
  capabilities?: Readonly<Record<string, MetaobjectCapabilities[string] | null>> | null;
}

/** A change of one field of a definition. */
export interface FieldOperation {
  create?: FieldDefinitionInput | null;
  update?: FieldDefinitionInput | null;
  delete?: { key: string } | null;
}

/** Who may use the objects of a type of which nothing is said. */
export const ACCESS: MetaobjectAccess = {
  admin: 'PUBLIC_READ_WRITE',
  storefront: 'NONE',
  customerAccount: 'NONE',
};

/** What such objects can do. */
export const CAPABILITIES: MetaobjectCapabilities = {
  publishable: { enabled: false },
  translatable: { enabled: false },
  renderable: { enabled: false },
  onlineStore: { enabled: false },
};

/** How long names and descriptions may be, and how many fields a type may have. */
const LONGEST = 255;
const MOST_FIELDS = 40;
/** The keys that every object has by itself. */
const RESERVED: ReadonlySet<string> = new Set(['handle', 'id']);

/** Why the settings of a definition are refused. @param type as it is stored */
export function settingProblems(
  { name, description, access }: DefinitionSettings,
  type: string,
): MetaobjectError[] {
  const refused = (field: string, code: string, message: string): MetaobjectError => ({
    code,
    field: ['definition', ...field.split('.')],
    message,
  });
  const tooLong = `is too long (maximum is ${LONGEST} characters)`;
  return [
    ...(name?.trim() === '' ? [refused('name', 'BLANK', "Name can't be blank")] : []),
    ...((name?.length ?? 0) > LONGEST ? [refused('name', 'TOO_LONG', `Name ${tooLong}`)] : []),
    ...((description?.length ?? 0) > LONGEST
      ? [refused('description', 'TOO_LONG', `Description ${tooLong}`)]
      : []),
    ...(access?.admin != null && !type.startsWith('app--')
      ? [refused('access.admin', 'ADMIN_ACCESS_INPUT_NOT_ALLOWED', NO_ADMIN)]
      : []),
  ];
}

/** Why a name of a type is refused. @param type as it is stored */
export function typeProblems(type: string, appId: number): MetaobjectError[] {
  const field = ['definition', 'type'];
  if (!isOwnName(type, appId))
    return [{ code: 'NOT_AUTHORIZED', field, message: 'Not authorized to use this type.' }];
  if (type.startsWith('shopify--'))
    return [{ code: 'NOT_AUTHORIZED', field: ['definition'], message: RESERVED_TYPE }];
  if (type.length < 3)
    return [{ code: 'TOO_SHORT', field, message: 'Type is too short (minimum is 3 characters)' }];
  if (type.length > LONGEST)
    return [
      { code: 'TOO_LONG', field, message: `Type is too long (maximum is ${LONGEST} characters)` },
    ];
  return /^[\w-]+$/.test(type) ? [] : [{ code: 'INVALID', field, message: BAD_TYPE }];
}

/** A type of metaobjects as it is stored, which its case does not change. */
export function storedType(type: string, appId: number): string {
  return storedName(type, appId).toLowerCase();
}

/** The fields of a new definition, or why not. */
export function newFields(
  inputs: readonly FieldDefinitionInput[],
  displayNameKey: string | null | undefined,
): { fields: MetaobjectFieldDefinition[]; problems: MetaobjectError[] } {
  if (inputs.length > MOST_FIELDS)
    return {
      fields: [],
      problems: [
        {
          code: 'INVALID',
          field: ['definition', 'fieldDefinitions'],
          message: `Maximum ${MOST_FIELDS} fields per metaobject definition`,
        },
      ],
    };
  const problems = inputs.flatMap((input, index) => {
    const field = ['definition', 'fieldDefinitions', String(index)];
    const { key } = input;
    const isTwice = inputs.slice(0, index).some((other) => other.key === key);
    const message = `Field "${key}" duplicates other inputs`;
    return isTwice
      ? [{ code: 'DUPLICATE_FIELD_INPUT', field, message, elementKey: key }]
      : fieldProblems(input, field);
  });
  if (problems.length === 0 && !isKnown(displayNameKey, inputs))
    problems.push(noDisplayField(displayNameKey ?? ''));
  return { fields: problems.length > 0 ? [] : inputs.map(madeField), problems };
}

/** The fields of a definition after a change, or why not. */
export function changedFields(
  { fields: before, displayNameKey: named }: MetaobjectDefinition,
  operations: readonly FieldOperation[],
  { displayNameKey, resetFieldOrder }: DefinitionSettings & { resetFieldOrder?: boolean | null },
): { fields: MetaobjectFieldDefinition[]; problems: MetaobjectError[] } {
  let fields = [...before];
  const touched: string[] = [];
  const problems: MetaobjectError[] = [];
  for (const [index, operation] of operations.entries()) {
    const { create, update, delete: removed } = operation;
    const name = create ? 'create' : update ? 'update' : 'delete';
    const key = create?.key ?? update?.key ?? removed?.key ?? '';
    const path = ['definition', 'fieldDefinitions', String(index), name];
    const known = fields.find((field) => field.key === key);
    const at = { elementKey: key, field: [...path, 'key'] };
    if (create && known) {
      const message = `Field definition "${key}" is already taken`;
      problems.push({ ...at, code: 'OBJECT_FIELD_TAKEN', message });
    } else if (!create && !known) {
      problems.push({ ...at, code: 'UNDEFINED_OBJECT_FIELD', message: noField(key) });
    } else if (removed) {
      fields = fields.filter((field) => field !== known);
    } else if (create) {
      problems.push(...fieldProblems(create, path));
      fields.push(madeField(create));
    } else if (known && update) {
      const made = madeField({ ...known, ...given(update), key });
      fields = fields.map((field) => (field === known ? made : field));
    }
    touched.push(key);
  }
  const display = displayNameKey ?? named;
  if (problems.length === 0 && !isKnown(display, fields))
    problems.push(noDisplayField(display ?? ''));
  if (resetFieldOrder) fields.sort((a, b) => rank(touched, a.key) - rank(touched, b.key));
  return { fields, problems };
}

/** The properties that are set: null in an input means "no change". */
export function given<T extends object>(input: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const set = Object.entries(input).filter(([, value]) => value != null);
  return Object.fromEntries(set) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** `demo_info` → `Demo info`. */
export function title(key: string): string {
  return capital(key.replace(/[_-]+/g, ' ').trim());
}

function madeField(input: FieldDefinitionInput): MetaobjectFieldDefinition {
  const { key, name, type, description, required, validations } = input;
  return {
    key,
    type: type ?? '',
    name: name ?? title(key),
    description: description ?? null,
    required: required ?? false,
    validations: validations ?? [],
  };
}

/** Why a field is refused. @param field its path in the input */
function fieldProblems({ key, type }: FieldDefinitionInput, field: string[]): MetaobjectError[] {
  const at = { field, elementKey: key };
  const checks: Array<readonly [boolean, string, string]> = [
    [key === '', 'BLANK', "Key can't be blank"],
    [key.length < 2, 'TOO_SHORT', 'Key is too short (minimum is 2 characters)'],
    [key.length > 64, 'TOO_LONG', 'Key is too long (maximum is 64 characters)'],
    [!/^[\w-]+$/.test(key), 'INVALID', 'Key contains one or more invalid characters.'],
    [RESERVED.has(key), 'RESERVED_NAME', `The name "${key}" is reserved for system use`],
    [!type || !isFieldType(type), 'INCLUSION', `Type ${type ?? ''} is not included`],
  ];
  return checks.flatMap(([applies, code, message]) => (applies ? [{ ...at, code, message }] : []));
}

function isKnown(key: string | null | undefined, fields: ReadonlyArray<{ key: string }>): boolean {
  return !key || fields.some((field) => field.key === key);
}

function noDisplayField(key: string): MetaobjectError {
  const field = ['definition', 'displayNameKey'];
  return { code: 'UNDEFINED_OBJECT_FIELD', field, message: noField(key) };
}

function noField(key: string): string {
  return `Field definition "${key}" does not exist`;
}

function rank(touched: readonly string[], key: string): number {
  const index = touched.indexOf(key);
  return index < 0 ? touched.length : index;
}

const NO_ADMIN =
  'Admin access can only be specified on metaobject definitions that have an app-reserved type.';
const RESERVED_TYPE = 'Not authorized. This type is reserved for use by another application.';
const BAD_TYPE =
  'Type contains one or more invalid characters. Only alphanumeric characters, underscores, and dashes are allowed.';
