import { declaredType, isOwnName, ownerTypeName, storedName } from '../../base/custom-data.js';
import { FIELD_TYPE_NAMES } from '../../base/field-type-names.table.js';
import { capital } from '../../base/text-values.js';
import { isFieldType } from '../../base/typed-values.js';
import { AccessDenied } from '../../graphql/graphql-access.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { ineligible, type Capabilities } from './definition-capabilities.js';
import {
  DEFINITION,
  definitionOf,
  type DefinitionIdentifier,
  type MetafieldCall,
} from './metafield-input.js';
import { RESERVED_NAMESPACE } from './standard-definitions.table.js';

/** A definition in an input. */
export interface DefinitionFields extends DefinitionIdentifier {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly type?: string;
  readonly pin?: boolean | null;
  readonly validations?: readonly NodeFields[] | null;
  readonly access?: NodeFields | null;
  readonly capabilities?: Capabilities | null;
  readonly constraints?: object | null;
}

/** Why a change of a definition is refused. */
export interface DefinitionError {
  readonly field: readonly string[] | null;
  readonly message: string;
  readonly code: string;
}

const LONGEST_TEXT = 255;
const MOST_FILTERS = 50;

/** Why a new definition is refused. @throws AccessDenied for a namespace of someone else */
export function createErrors(input: DefinitionFields, call: MetafieldCall): DefinitionError[] {
  const { ownerType, namespace, key, name, type = '' } = input;
  const stored = storedName(namespace ?? '$app', call.app.id);
  if (!isOwnName(stored, call.app.id)) throw new AccessDenied('metafieldDefinitionCreate', stored);
  if (stored === RESERVED_NAMESPACE)
    throw new AccessDenied('metafieldDefinitionCreate', '', RESERVED);
  const errors = [
    ...nameErrors('namespace', stored, 3, 255),
    ...nameErrors('key', key, 2, 64),
    ...(name?.trim() ? [] : [refused('name', "Name can't be blank", 'BLANK')]),
    ...textErrors(input),
    ...(isFieldType(type) ? [] : [refused('type', unknownType(type), 'INCLUSION')]),
  ];
  if (errors.length > 0) return errors;
  const isDeclared =
    stored === storedName('$app', call.app.id) &&
    declaredType(call.app.definitions, ownerType, key) !== undefined;
  if (isDeclared || definitionOf(call, { ownerType, namespace: stored, key })) {
    const owners = ownerTypeName(ownerType);
    const message = `Key is in use for ${owners} metafields on the '${stored}' namespace.`;
    return [refused('key', message, 'TAKEN')];
  }
  return settingErrors(input, type, stored, call.shop, 'INVALID');
}

/** Why a change of a definition is refused. */
export function updateErrors(
  input: DefinitionFields,
  type: string,
  call: MetafieldCall,
): DefinitionError[] {
  const stored = storedName(input.namespace ?? '$app', call.app.id);
  return [...textErrors(input), ...settingErrors(input, type, stored, call.shop, 'INVALID_INPUT')];
}

/** Why a capability in an input cannot be enabled. */
export function capabilityError(
  ownerType: string,
  type: string,
  capabilities: Capabilities,
  field: readonly string[] | null,
): DefinitionError | undefined {
  const name = ineligible(ownerType, type, capabilities);
  return name === undefined
    ? undefined
    : {
        field,
        message: `The capability ${snakeCased(name)} is not valid for this definition.`,
        code: 'INVALID_CAPABILITY',
      };
}

/** Whether what merchants may do with metafields can be set to that in a namespace. */
export function isAdminAccessAllowed(
  access: NodeFields | null | undefined,
  stored: string,
): boolean {
  const admin = access?.['admin'];
  return admin == null || admin === 'PUBLIC_READ_WRITE' || stored.startsWith('app--');
}

/** What an app is told that sets something else. */
export const ADMIN_ACCESS_REFUSED =
  'Setting this access control is not permitted. It must be one of ["public_read_write"].';

const RESERVED =
  'API client to have access to the namespace and the resource type associated with the metafield definition.';

function settingErrors(
  { ownerType, access, capabilities }: DefinitionFields,
  type: string,
  stored: string,
  { nodes }: MetafieldCall['shop'],
  code: string,
): DefinitionError[] {
  const errors: DefinitionError[] = [];
  const field = ['definition'];
  const owner = ownerType.toLowerCase();
  if (!isAdminAccessAllowed(access, stored))
    errors.push({ field, message: ADMIN_ACCESS_REFUSED, code });
  const error = capabilityError(ownerType, type, capabilities ?? {}, field);
  if (error) errors.push(error);
  const filters = nodes
    .all([DEFINITION])
    .filter(
      ({ fields }) =>
        fields['ownerType'] === ownerType &&
        Object(Object(fields['capabilities']).adminFilterable).enabled === true,
    );
  if (capabilities?.['adminFilterable']?.enabled === true && filters.length >= MOST_FILTERS)
    errors.push({
      field,
      message:
        `You can only use ${MOST_FILTERS} ${owner} metafield definitions to filter the ${owner} ` +
        'list. To add a new filter, disable filtering on an existing one.',
      code: 'OWNER_TYPE_LIMIT_EXCEEDED_FOR_USE_AS_ADMIN_FILTERS',
    });
  return errors;
}

function nameErrors(field: string, value: string, least: number, most: number): DefinitionError[] {
  const words = capital(field);
  if (value.length < least)
    return [refused(field, `${words} is too short (minimum is ${least} characters)`, 'TOO_SHORT')];
  if (value.length > most)
    return [refused(field, `${words} is too long (maximum is ${most} characters)`, 'TOO_LONG')];
  const message = `${words} contains one or more invalid characters.`;
  return /^[\w-]+$/.test(value) ? [] : [refused(field, message, 'INVALID_CHARACTER')];
}

function textErrors({ name, description }: DefinitionFields): DefinitionError[] {
  return Object.entries({ name, description }).flatMap(([field, value]) => {
    if ((value?.length ?? 0) <= LONGEST_TEXT) return [];
    const message = `${capital(field)} is too long (maximum is ${LONGEST_TEXT} characters)`;
    return [refused(field, message, 'TOO_LONG')];
  });
}

function refused(field: string, message: string, code: string): DefinitionError {
  return { field: ['definition', field], message, code };
}

function unknownType(type: string): string {
  const known = FIELD_TYPE_NAMES.join(', ');
  return `Type name ${type} is not a valid type. Valid types are: ${known}.`;
}

function snakeCased(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
