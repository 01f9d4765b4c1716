/**
 * A schema of any library that implements Standard Schema, version 1, such as valibot, zod and
 * ArkType. `Output` is what it makes of a value that fits.
 * @see https://standardschema.dev
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** Only for the compiler. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a schema says of a value: what it has made of it, or what is wrong with it. */
type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** One thing that is wrong with a value. Messages may quote the value. */
export interface SchemaIssue {
  readonly message: string;
  /** The properties that lead to it. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What is wrong with a schema that {@link isSchema} refuses. */
export const NO_SCHEMA =
  'must be a Standard Schema, such as one of valibot 1, zod 3.24 or ArkType 2 and later';

/** True for a Standard Schema, and for `undefined`. */
export function isSchema(value: unknown): value is StandardSchema | undefined {
  if (value === undefined) return true;
  // A schema of ArkType is a function.
  if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return standard?.version === 1 && typeof standard.validate === 'function';
}
