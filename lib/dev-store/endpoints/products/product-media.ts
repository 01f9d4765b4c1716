import { capital } from '../../base/text-values.js';
import { globalId } from '../../base/vendor.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { FILE_TYPES, processFile, uploadedFile } from '../nodes/file-processing.js';
import type { OwnField } from '../nodes/node-reader.js';

/** A medium in the input of a mutation. */
export interface MediaFields {
  readonly alt?: string | null;
  readonly mediaContentType: string;
  readonly originalSource: string;
}

/** A file of a product, or of a variant, in the input of `productSet`. */
export interface FileFields extends Partial<Omit<MediaFields, 'mediaContentType'>> {
  readonly id?: string | null;
  readonly contentType?: string | null;
}

/** The media of a variant in an input. */
interface VariantMediaFields {
  readonly mediaId?: string | null;
  readonly mediaSrc?: readonly string[] | null;
}

/** Why a medium is refused. */
export interface MediaError {
  readonly field: readonly string[];
  readonly message: string;
  readonly code: string;
}

/** The ids of the media of a product or of a variant, in their order. */
export function mediaOf(nodes: NodeStore, owner: string): string[] {
  const { media } = nodes.fieldsOf(owner);
  return Array.isArray(media) ? media.filter((id): id is string => nodes.find(id) != null) : [];
}

/** Sets the media of a product or of a variant; those of other owners stay. */
export function setMedia(nodes: NodeStore, owner: string, media: readonly string[]): void {
  nodes.update(owner, { media: [...new Set(media)] });
}

/** Adds a file that is processed after the call. Returns its id. */
function uploadFile(nodes: NodeStore, { mediaContentType, ...fields }: MediaFields): string {
  const type = FILE_TYPES[mediaContentType] ?? 'MediaImage';
  const { id } = nodes.create(type, uploadedFile({ ...fields, mediaContentType }));
  processFile(nodes, id);
  return id;
}

/** Adds those of the media of an input whose sources are addresses. Returns why others are not. */
export function addMedia(
  nodes: NodeStore,
  owner: string,
  inputs: readonly MediaFields[],
): { readonly added: readonly string[]; readonly errors: readonly MediaError[] } {
  const added: string[] = [];
  const errors = inputs.flatMap((input, index): MediaError[] => {
    if (isAddress(input.originalSource)) {
      added.push(uploadFile(nodes, input));
      return [];
    }
    const field = ['media', String(index), 'originalSource'];
    return [{ field, message: wrongAddress(input.mediaContentType), code: 'INVALID' }];
  });
  if (added.length > 0) setMedia(nodes, owner, [...mediaOf(nodes, owner), ...added]);
  return { added, errors };
}

/** The ids of the files of an input: those that it names, and new ones. */
export function filesOf(nodes: NodeStore, files: readonly FileFields[]): string[] {
  return files.flatMap(({ id, contentType, originalSource, ...fields }) => {
    if (id != null) return nodes.find(id) ? [id] : [];
    return originalSource && isAddress(originalSource)
      ? [uploadFile(nodes, { ...fields, mediaContentType: contentType ?? 'IMAGE', originalSource })]
      : [];
  });
}

/** Gives a variant the medium of an input: by its id, or by its source, once for a product. */
export function attachMedia(
  nodes: NodeStore,
  owner: string,
  variant: string,
  { mediaId, mediaSrc }: VariantMediaFields,
): void {
  const [originalSource] = mediaSrc ?? [];
  const media = mediaOf(nodes, owner);
  const known = media.find((id) =>
    mediaId == null
      ? originalSource && nodes.fieldsOf(id)['originalSource'] === originalSource
      : id === mediaId,
  );
  const medium = known ?? (originalSource && filesOf(nodes, [{ originalSource }])[0]);
  if (!medium) return;
  setMedia(nodes, owner, [...media, medium]);
  setMedia(nodes, variant, [medium]);
}

/** Takes a medium off every product and variant. */
export function forgetMedia(nodes: NodeStore, owners: readonly string[], gone: string[]): void {
  for (const owner of owners)
    if (mediaOf(nodes, owner).some((id) => gone.includes(id)))
      setMedia(
        nodes,
        owner,
        mediaOf(nodes, owner).filter((id) => !gone.includes(id)),
      );
}

/** The fields of products and variants that follow from their media. */
export function mediaFields(nodes: NodeStore): Readonly<Record<string, OwnField>> {
  const images = (owner: string): NodeFields[] =>
    mediaOf(nodes, owner).flatMap((id) => {
      const { number = 0, fields = {} } = nodes.find(id) ?? {};
      const image = fields['image'] as NodeFields | null | undefined;
      return image ? [{ ...image, id: globalId('ProductImage', number) }] : [];
    });
  const first: OwnField = (id) => images(id)[0];
  return {
    'Product.images': images,
    'Product.featuredImage': first,
    'Product.featuredMedia': (id) => mediaOf(nodes, id)[0],
    'ProductVariant.image': first,
  };
}

/** True for a source that a file can be downloaded from. */
export function isAddress(source: string): boolean {
  return /^https?:\/\/[^\s/]/.test(source);
}

/** What is said of a source that is no address. @param kind of the file, such as `IMAGE` */
export function wrongAddress(kind: string): string {
  return `${capital(kind.toLowerCase().replace('_', ' '))} URL is invalid`;
}
