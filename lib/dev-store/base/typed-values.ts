/** The types whose JSON form is no text, and how their text has to look. */
const PATTERNS: ReadonlyArray<[RegExp, RegExp]> = [
  [/^number_integer$/, /^-?\d{1,19}$/],
  [/^number_decimal$/, /^-?\d{1,13}(?:\.\d{1,9})?$/],
  [/^boolean$/, /^(?:true|false)$/],
  [/^date$/, /^\d{4}-\d\d-\d\d$/],
  [/^date_time$/, /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?/],
  [/^color$/, /^#[0-9a-f]{6}$/i],
  [/^url$/, /^(?:https?|mailto|sms|tel):/i],
  [/_reference$/, /^gid:\/\//],
  [/^(?:single_line_text_field|id)$/, /^[^\r\n]*$/],
];

/** The types that are a number with a unit. */
const MEASURES: ReadonlySet<string> = new Set(
  (
    'antenna_gain area battery_charge_capacity battery_energy_capacity capacitance concentration ' +
    'data_storage_capacity data_transfer_rate dimension display_density distance duration ' +
    'electric_current electrical_resistance energy frequency illuminance inductance ' +
    'luminous_flux mass_flow_rate power pressure resolution rotational_speed sound_level speed ' +
    'temperature thermal_power voltage volume volumetric_flow_rate weight'
  ).split(' '),
);

/** The other types of metafields and of the fields of metaobjects. */
const TYPE =
  /^(?:single_line_text_field|multi_line_text_field|rich_text_field|number_integer|number_decimal|boolean|date|date_time|color|url|id|json|link|language|money|rating|\w+_reference)$/;

const STRUCTURED = /^(?:list\..+|json|rich_text_field|link|money|rating)$/;

/** Whether the text of a value is JSON. */
function isStructured(type: string): boolean {
  return isMeasurement(type) || STRUCTURED.test(type);
}

/** True for the name of a type that the platform knows. */
export function isFieldType(type: string): boolean {
  const single = type.replace(/^list\./, '');
  return isMeasurement(single) || TYPE.test(single);
}

/** True for a type whose values are a number with a unit, e.g. `weight`. */
export function isMeasurement(type: string): boolean {
  return MEASURES.has(type);
}

/** What is wrong with a text as a value of a type; undefined when nothing is. */
export function problemOfValue(type: string, value: string): string | undefined {
  if (isStructured(type)) {
    const parsed = parsedJson(value);
    if (parsed === undefined) return 'Value is invalid JSON.';
    return type.startsWith('list.') && !Array.isArray(parsed)
      ? 'Value must be an array.'
      : undefined;
  }
  const expected = PATTERNS.find(([types]) => types.test(type))?.[1];
  return expected && !expected.test(value) ? `Value must be a valid ${type}.` : undefined;
}

/** The JSON form of a value: numbers, truth values and structures are no text in it. */
export function jsonValueOf(type: string, value: string): unknown {
  if (isStructured(type)) return parsedJson(value) ?? value;
  if (type === 'number_integer') return Number(value);
  return type === 'boolean' ? value === 'true' : value;
}

/** What a text is in JSON; undefined for one that is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The object that a text is in JSON; undefined for any other text. */
export function parsedObject(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
