import { parsedJson } from './typed-values.js';

/** A rule that a definition has for the values of its metafields, such as `max`. */
export interface Validation {
  readonly name: string;
  readonly value?: string | null;
}

/**
 * Why a value does not fit the rules of its definition; undefined when it does. Values of lists are
 * checked one by one. The expressions of apps (`regex`) are not run: they may take for ever.
 */
export function brokenRule(
  validations: readonly Validation[],
  type: string,
  value: string,
): string | undefined {
  const values = type.startsWith('list.') ? (JSON.parse(value) as unknown[]).map(String) : [value];
  const isText = /text_field$|^(?:list\.)?(?:id|url)$/.test(type);
  const sizeOf = (one: string): number =>
    isText ? [...one].length : /^(?:list\.)?date/.test(type) ? Date.parse(one) : Number(one);
  for (const { name, value: rule } of validations) {
    if (rule == null) continue;
    const limit =
      /^(?:list\.)?date/.test(type) && /^m(?:in|ax)$/.test(name) ? Date.parse(rule) : Number(rule);
    for (const one of values) {
      const size = sizeOf(one);
      if (name === 'max' && size > limit)
        return isText
          ? `Value has a maximum length of ${rule}.`
          : `Value has a maximum of ${rule}.`;
      if (name === 'min' && size < limit)
        return isText
          ? `Value has a minimum length of ${rule}.`
          : `Value has a minimum of ${rule}.`;
      if (name === 'max_precision' && (one.split('.')[1]?.length ?? 0) > limit)
        return `Value can't exceed the precision of ${rule}.`;
      if (name === 'choices' && !choicesOf(rule).includes(one))
        return `Value does not exist in provided choices: ${rule}.`;
    }
  }
  return undefined;
}

function choicesOf(rule: string): unknown[] {
  const choices = parsedJson(rule);
  return Array.isArray(choices) ? choices : [];
}
