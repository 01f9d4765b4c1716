import { isFieldType, problemOfValue } from '../../base/typed-values.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { inputError, isBlank } from '../nodes/user-errors.js';
import { listOf } from '../payloads/payload-values.js';

type Metafield = Readonly<NodeFields>;

/** The namespaces of the platform itself. */
const RESERVED = /^shopify(?:--|$)/;

/** Why the metafields of a validation are refused: the first reason of each, about all of it. */
export function validationMetafieldErrors({ metafields }: Metafield): NodeError[] {
  return (listOf(metafields) as readonly Metafield[]).flatMap((one, index) => {
    const [message, code] = validationProblem(one) ?? [];
    return message === undefined
      ? []
      : [inputError(`validation.metafields.${index}`, message, code)];
  });
}

/** Why the values of the metafields of a cart transform are refused. */
export function transformMetafieldErrors({ metafields }: Metafield): NodeError[] {
  return (listOf(metafields) as readonly Metafield[]).flatMap(({ type, value }, index) => {
    const message = isBlank(value) ? 'may not be empty' : transformProblem(type, String(value));
    return message === undefined
      ? []
      : [inputError(`metafields.${index}.value`, message, 'INVALID_METAFIELDS')];
  });
}

function validationProblem({
  namespace,
  key,
  type,
  value,
}: Metafield): readonly [message: string, code?: string] | undefined {
  if (key == null || value == null) return ['presence'];
  if (isBlank(type)) return ['One or more required inputs are blank.', 'BLANK'];
  if (!isFieldType(String(type))) return ['The type is invalid.', 'INVALID_TYPE'];
  if (RESERVED.test(String(namespace ?? '')))
    return [
      'ApiPermission metafields can only be created or updated by the app owner.',
      'APP_NOT_AUTHORIZED',
    ];
  return value === '' || problemOfValue(String(type), String(value)) !== undefined
    ? ['The value is invalid.', 'INVALID_VALUE']
    : undefined;
}

function transformProblem(type: unknown, value: string): string | undefined {
  if (!isFieldType(String(type))) return undefined;
  const problem = problemOfValue(String(type), value);
  return problem !== undefined && type === 'json'
    ? `is invalid JSON: unexpected token '${value}' at line 1 column 1.`
    : problem;
}
