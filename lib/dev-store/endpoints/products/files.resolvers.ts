import { idOf } from '../../base/vendor.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { fileName } from '../nodes/file-processing.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { altProblem, extensionOf } from './file-create.resolvers.js';
import { mediaOf, setMedia } from './product-media.js';

interface FileFields {
  readonly id: string;
  readonly alt?: string | null;
  readonly filename?: string | null;
  readonly originalSource?: string | null;
  readonly previewImageSource?: string | null;
  readonly referencesToAdd?: readonly string[] | null;
  readonly referencesToRemove?: readonly string[] | null;
}

interface FileError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

const FILES: ReadonlySet<string> = new Set([
  'ExternalVideo',
  'GenericFile',
  'MediaImage',
  'Model3d',
  'Video',
]);

/**
 * The resolvers of changes of files. Of `fileUpdate` either every file is changed or none, but for
 * those whose alternative text is too long, and a file becomes a medium of the products that it
 * refers to.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/fileUpdate
 */
export function filesRoot({ reader, catalog, changed, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const productOf = (id: string) => catalog.find(idOf('Product', id) ?? NaN);
  const fileOf = (id: string): Readonly<NodeFields> | undefined => {
    const node = nodes.find(id);
    return node && FILES.has(node.type) ? node.fields : undefined;
  };
  const problem = (file: FileFields, index: number): FileError[] => {
    const fields = fileOf(file.id) ?? {};
    const type = nodes.find(file.id)?.type ?? '';
    const error = (code: keyof typeof MESSAGES, ...field: string[]): FileError[] => [
      { field: ['files', ...field], message: MESSAGES[code], code },
    ];
    const references = [...(file.referencesToAdd ?? []), ...(file.referencesToRemove ?? [])];
    if (fields['fileStatus'] !== 'READY') return error('NON_READY_STATE');
    if (type === 'MediaImage' && file.originalSource != null && file.previewImageSource != null)
      return ['previewImageSource', 'originalSource'].map((name) => ({
        field: ['files', String(index), name],
        message: ONE_AND_THE_SAME,
        code: 'INVALID',
      }));
    if (references.some((id) => !productOf(id))) return error('REFERENCE_TARGET_DOES_NOT_EXIST');
    if (file.originalSource != null && type !== 'MediaImage' && type !== 'GenericFile')
      return error('INVALID', String(index), 'originalSource');
    if (file.filename == null) return [];
    if (type !== 'MediaImage' && type !== 'GenericFile')
      return error('UNSUPPORTED_MEDIA_TYPE_FOR_FILENAME_UPDATE');
    return extensionOf(file.filename) === extensionOf(fileName(fields))
      ? []
      : error('INVALID_FILENAME_EXTENSION');
  };
  return {
    fileAcknowledgeUpdateFailed: ({ fileIds }: { fileIds: readonly string[] }) => {
      const unknown = fileIds.filter((id) => !fileOf(id));
      const busy = fileIds.filter((id) => fileOf(id) && fileOf(id)?.['fileStatus'] !== 'READY');
      const message = `File id ${unknown.join(', ')} does not exist.`;
      const errors: FileError[] =
        unknown.length > 0
          ? [{ field: ['fileIds'], message, code: 'FILE_DOES_NOT_EXIST' }]
          : busy.map((id) => ({
              field: ['fileIds'],
              message: `File with id ${id} is not in the READY state.`,
              code: 'NON_READY_STATE',
            }));
      if (errors.length > 0) return { files: null, userErrors: errors };
      return { files: fileIds.map((id) => view(id)), userErrors: [] };
    },

    fileUpdate: ({ files }: { files: readonly FileFields[] }) => {
      const unknown = files.flatMap(({ id }) => (fileOf(id) ? [] : [id]));
      const message = `File id ${JSON.stringify(unknown)} does not exist.`;
      const errors: FileError[] =
        unknown.length > 0
          ? [{ field: ['files'], message, code: 'FILE_DOES_NOT_EXIST' }]
          : files.flatMap(problem);
      if (errors.length > 0) return { files: [], userErrors: errors };
      const userErrors = files.flatMap(({ alt }, index): FileError[] => {
        const [name, text, code] = altProblem(alt) ?? [];
        return name && text && code
          ? [{ field: ['files', String(index), name], message: text, code }]
          : [];
      });
      const accepted = files.filter(({ alt }) => !altProblem(alt));
      for (const { id, alt, referencesToAdd, referencesToRemove, ...file } of accepted) {
        const { image, ...before } = nodes.fieldsOf(id);
        const url = file.originalSource ?? file.previewImageSource ?? Object(image).url;
        const altText = alt === undefined ? before['alt'] : alt;
        const shown = image ? { ...image, url, altText } : image;
        nodes.update(id, {
          ...(alt === undefined ? {} : { alt }),
          ...(file.filename == null ? {} : { filename: file.filename }),
          ...(file.originalSource == null ? {} : { originalSource: file.originalSource, url }),
          ...(image ? { image: shown, preview: { image: shown, status: 'READY' } } : {}),
        });
        for (const owner of referencesToAdd ?? [])
          setMedia(nodes, owner, [...mediaOf(nodes, owner), id]);
        for (const owner of referencesToRemove ?? [])
          setMedia(
            nodes,
            owner,
            mediaOf(nodes, owner).filter((one) => one !== id),
          );
        for (const owner of new Set([...(referencesToAdd ?? []), ...(referencesToRemove ?? [])])) {
          const product = productOf(owner);
          if (product) catalog.changed(product);
        }
        changed('update', id, nodes.fieldsOf(id));
      }
      return { files: accepted.map(({ id }) => view(id)), userErrors };
    },
  };
}

const ONE_AND_THE_SAME =
  'Cannot update the preview image and image at the same time because they are one and the same.';

const MESSAGES = {
  NON_READY_STATE: 'Non-ready files cannot be updated.',
  REFERENCE_TARGET_DOES_NOT_EXIST: 'The reference target does not exist',
  INVALID: 'Updating the original source is not supported for this media type.',
  UNSUPPORTED_MEDIA_TYPE_FOR_FILENAME_UPDATE:
    'Updating the filename is only supported on images and generic files',
  INVALID_FILENAME_EXTENSION: 'The filename extension provided must match the original filename.',
} as const;
