import { isoTime } from '../../base/iso-time.js';
import { connection } from '../../graphql/graphql.connection.js';
import type { GraphqlContext } from '../../graphql/graphql-execution.js';
import {
  checksum,
  contentType,
  isText,
  problemOfFile,
  type ThemeFile,
  type ThemeFiles,
} from '../../state/themes/theme-files.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeWriter } from '../nodes/node-writer.js';

/** How many files one mutation may write. */
const MOST = 50;

interface FilesArgs {
  first?: number | null;
  after?: string | null;
  filenames?: readonly string[] | null;
}

interface UpsertArgs {
  themeId: string;
  files: ReadonlyArray<{
    filename: string;
    body: { type: 'TEXT' | 'BASE64' | 'URL'; value: string };
  }>;
}

interface CopyArgs {
  themeId: string;
  files: ReadonlyArray<{ srcFilename: string; dstFilename: string }>;
}

interface DeleteArgs {
  themeId: string;
  files: readonly string[];
}

interface FileError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
  readonly filename?: string;
}

/** The value of the field `files` of a theme: those of some names, or all, in pages. */
export function filesField(
  themes: ThemeFiles,
  id: string,
): (args: FilesArgs, context: GraphqlContext) => object {
  return ({ first, after, filenames }, context) => {
    const all = themes.of(id).map((file, index) => ({ id: index + 1, file }));
    const found = all.filter(
      ({ file }) => !filenames?.length || filenames.some((one) => isNamed(file.filename, one)),
    );
    const args = { first: first ?? MOST, after: after ?? null };
    return { ...connection(found, args, context, ({ file }) => fileView(file)), userErrors: [] };
  };
}

/**
 * The resolvers of the mutations that write, copy and delete the files of themes.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/themeFilesUpsert
 */
export function themeFilesRoot(
  { reader, changed }: NodeWriter,
  themes: ThemeFiles,
): Record<string, unknown> {
  const { nodes } = reader.store;
  const problemOf = (themeId: string, count: number): FileError | undefined => {
    if (nodes.find(themeId)?.type !== 'OnlineStoreTheme')
      return { field: ['themeId'], message: 'Theme does not exist', code: 'NOT_FOUND' };
    const message = `The input array size of ${count} is greater than the maximum allowed of ${MOST}.`;
    return count > MOST ? { field: ['files'], message, code: 'LESS_THAN_OR_EQUAL_TO' } : undefined;
  };
  const done = (themeId: string, result: string, files: readonly ThemeFile[]): object => {
    if (files.length > 0) changed('update', themeId, nodes.fieldsOf(themeId));
    return { [result]: files.map(resultView), userErrors: [] };
  };
  const refused = (result: string, userErrors: readonly FileError[]): object => ({
    [result]: null,
    userErrors,
  });
  const noFile = (filename: string, index: number, ...field: string[]): FileError => ({
    field: ['files', String(index), ...field],
    message: `File ${filename} does not exist`,
    code: 'NOT_FOUND',
    filename,
  });
  return {
    themeFilesUpsert: ({ themeId, files }: UpsertArgs) => {
      const problem = problemOf(themeId, files.length);
      if (problem) return { ...refused('upsertedThemeFiles', [problem]), job: null };
      const written = files.map(({ filename, body: { type, value } }) => ({
        filename,
        isFetched: type === 'URL',
        content: Buffer.from(value, type === 'BASE64' ? 'base64' : 'utf8'),
      }));
      const userErrors = written.flatMap(({ filename, content, isFetched }, index): FileError[] => {
        const isTwice = files.findIndex((one) => one.filename === filename) !== index;
        const message = isTwice
          ? `File ${filename} is there twice`
          : isFetched
            ? 'The simulated store fetches no files: pass their contents'
            : problemOfFile(filename, content);
        const code = isTwice
          ? 'DUPLICATE_FILE_INPUT'
          : isFetched
            ? 'ERROR'
            : 'FILE_VALIDATION_ERROR';
        return message ? [{ field: ['files', String(index)], message, code, filename }] : [];
      });
      if (userErrors.length > 0) return { ...refused('upsertedThemeFiles', userErrors), job: null };
      const kept = written.map(({ filename, content }) => themes.write(themeId, filename, content));
      return { ...done(themeId, 'upsertedThemeFiles', kept), job: startedJob(nodes) };
    },
    themeFilesCopy: ({ themeId, files }: CopyArgs) => {
      const problem = problemOf(themeId, files.length);
      if (problem) return refused('copiedThemeFiles', [problem]);
      const userErrors = files.flatMap(({ srcFilename, dstFilename }, index): FileError[] => {
        const source = themes.find(themeId, srcFilename);
        if (!source) return [noFile(srcFilename, index, 'srcFilename')];
        const message = problemOfFile(dstFilename, source.content);
        const field = ['files', String(index), 'dstFilename'];
        const code = 'FILE_VALIDATION_ERROR';
        return message ? [{ field, message, code, filename: dstFilename }] : [];
      });
      if (userErrors.length > 0) return refused('copiedThemeFiles', userErrors);
      const copied = files.flatMap(({ srcFilename, dstFilename }) => {
        const source = themes.find(themeId, srcFilename);
        return source ? [themes.write(themeId, dstFilename, source.content)] : [];
      });
      return done(themeId, 'copiedThemeFiles', copied);
    },
    themeFilesDelete: ({ themeId, files }: DeleteArgs) => {
      const problem = problemOf(themeId, files.length);
      if (problem) return refused('deletedThemeFiles', [problem]);
      const found = files.map((filename) => themes.find(themeId, filename));
      const userErrors = files.flatMap((filename, index) =>
        found[index] ? [] : [noFile(filename, index)],
      );
      if (userErrors.length > 0) return refused('deletedThemeFiles', userErrors);
      for (const filename of files) themes.delete(themeId, filename);
      return done(
        themeId,
        'deletedThemeFiles',
        found.filter((file) => file !== undefined),
      );
    },
  };
}

/** Whether a file has a name, whose end may be left open with `*`. */
function isNamed(filename: string, wanted: string): boolean {
  return wanted.endsWith('*') ? filename.startsWith(wanted.slice(0, -1)) : filename === wanted;
}

function resultView({ filename, content, createdAt, updatedAt }: ThemeFile): object {
  return {
    filename,
    checksumMd5: checksum(content),
    size: String(content.length),
    createdAt: isoTime(createdAt),
    updatedAt: isoTime(updatedAt),
  };
}

function fileView(file: ThemeFile): object {
  const { filename, content } = file;
  const body = isText(filename)
    ? { __typename: 'OnlineStoreThemeFileBodyText', content: content.toString() }
    : {
        __typename: 'OnlineStoreThemeFileBodyBase64',
        contentBase64: content.toString('base64'),
      };
  return { ...resultView(file), contentType: contentType(filename), body };
}
