import { isAddress, wrongAddress } from './product-media.js';

interface CreateFields {
  readonly alt?: string | null;
  readonly contentType?: string | null;
  readonly duplicateResolutionMode?: string | null;
  readonly filename?: string | null;
  readonly originalSource: string;
}

interface CreateError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

const LONGEST_SOURCE = 2048;
const LONGEST_ALT = 512;
const REPLACEABLE: ReadonlySet<string> = new Set(['IMAGE', 'FILE']);

/** A source that is no address at all. */
class SourceLengthError extends Error {
  readonly extensions = { code: 'INVALID_FIELD_ARGUMENTS' };
}

/**
 * Why new files are refused; those that are not are made by the platform's conventions.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/fileCreate
 */
export function fileCreateRoot(): Record<string, unknown> {
  return {
    fileCreate: ({ files }: { files: readonly CreateFields[] }) => {
      for (const { originalSource } of files) demandLength(originalSource);
      const userErrors = files.flatMap((file, index) => {
        const [name, message, code] = problemOf(file) ?? [];
        return name && message && code
          ? [{ field: ['files', String(index), name], message, code } satisfies CreateError]
          : [];
      });
      return userErrors.length > 0 ? { files: [], userErrors } : undefined;
    },
  };
}

/** The first reason why a file is refused: the field, the message and the code. */
function problemOf(file: CreateFields): readonly [string, string, string] | undefined {
  const { originalSource, filename, contentType, alt } = file;
  const type = contentType ?? 'MISSING';
  const replaces = file.duplicateResolutionMode === 'REPLACE';
  if (!isAddress(originalSource))
    return ['originalSource', wrongAddress(contentType ?? 'FILE'), 'INVALID_IMAGE_SOURCE_URL'];
  const extension = extensionOf(originalSource);
  if (filename != null && extension !== '' && extensionOf(filename) !== extension)
    return [
      'filename',
      'Provided filename extension must match original source.',
      'MISMATCHED_FILENAME_AND_ORIGINAL_SOURCE',
    ];
  if (replaces && !REPLACEABLE.has(type))
    return [
      'duplicateResolutionMode',
      `Duplicate resolution mode 'REPLACE' is not supported for '${type}' media type.`,
      'INVALID_DUPLICATE_MODE_FOR_TYPE',
    ];
  if (replaces && filename == null)
    return [
      'filename',
      'Missing filename argument when attempting to use REPLACE duplicate mode.',
      'MISSING_FILENAME_FOR_DUPLICATE_MODE_REPLACE',
    ];
  return altProblem(alt);
}

/** Why the alternative text of a file is refused: the field, the message and the code. */
export function altProblem(
  alt: string | null | undefined,
): readonly [string, string, string] | undefined {
  const message = `The alt value exceeds the maximum limit of ${LONGEST_ALT} characters.`;
  return (alt?.length ?? 0) > LONGEST_ALT
    ? ['alt', message, 'ALT_VALUE_LIMIT_EXCEEDED']
    : undefined;
}

function demandLength({ length }: string): void {
  if (length === 0) throw new SourceLengthError('originalSource is too short (minimum is 1)');
  if (length > LONGEST_SOURCE)
    throw new SourceLengthError(`originalSource is too long (maximum is ${LONGEST_SOURCE})`);
}

/** The end of a file's name, in its address without its query; capitals count. */
export function extensionOf(name: string): string {
  const [path = ''] = name.split(/[?#]/);
  return /\.([^./]+)$/.exec(path.replace(/^https?:\/\/[^/]*/, ''))?.[1] ?? '';
}
