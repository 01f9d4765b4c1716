/** Why an option of a product is refused. */
export interface OptionError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

interface OptionFields {
  readonly name?: string | null;
  readonly values?: ReadonlyArray<{ readonly name?: string | null }> | null;
}

/** How many options a product has at most, and how long their names are. */
const MOST_OPTIONS = 3;
const LONGEST_NAME = 255;

/** What stands between the values in the title of a variant. */
const DELIMITER = ' / ';

/** Why a name of an option is refused. @param field where the input has it */
export function optionNameErrors(
  name: string | null | undefined,
  field: readonly string[],
): OptionError[] {
  return name?.includes(DELIMITER)
    ? [{ field, message: `The name contains unsupported sequence '${DELIMITER}'`, code: UNFIT }]
    : [];
}

const UNFIT = 'INVALID_NAME';

/** An error as the creation of a product words it. */
export function asProductError(error: OptionError): OptionError {
  return error.code === UNFIT
    ? {
        field: ['options'],
        message: `Name cannot contain the character sequence "${DELIMITER}"`,
        code: UNFIT,
      }
    : error;
}

/** Why options in an input are refused. @param before those that the product has already */
export function namedOptionErrors(
  options: readonly OptionFields[],
  before: ReadonlyArray<{ readonly name: string }>,
  path: readonly string[] = ['options'],
): OptionError[] {
  if (before.length + options.length > MOST_OPTIONS) {
    const message = `Can only specify a maximum of ${MOST_OPTIONS} options`;
    return [{ field: path, message, code: 'OPTIONS_OVER_LIMIT' }];
  }
  return options.flatMap(({ name, values }, index): OptionError[] => {
    const refused = (code: string, message: string): OptionError[] => [
      { field: [...path, String(index)], message, code },
    ];
    if (!name) return refused('OPTION_NAME_MISSING', 'Each option must have a name specified.');
    if (name.length > LONGEST_NAME)
      return refused('OPTION_NAME_TOO_LONG', 'Option name is too long.');
    const unfit = optionNameErrors(name, [...path, String(index), 'name']);
    if (unfit.length > 0) return unfit;
    if (options.slice(0, index).some((one) => one.name === name))
      return refused('DUPLICATED_OPTION_NAME', 'Duplicated option name.');
    if (before.some((one) => one.name === name))
      return refused('OPTION_ALREADY_EXISTS', `Option '${name}' already exists.`);
    if (!values?.length)
      return refused(
        'OPTION_VALUES_MISSING',
        `Option '${name}' must specify at least one option value.`,
      );
    return new Set(values.map((one) => one.name)).size < values.length
      ? refused('DUPLICATED_OPTION_VALUE', 'Duplicated option value.')
      : [];
  });
}
