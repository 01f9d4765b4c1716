import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';

const UPLOADED = {
  fileStatus: 'UPLOADED',
  status: 'UPLOADED',
  image: null,
  preview: { image: null, status: 'UPLOADED' },
};

/** The fields of a file that has been uploaded and is not processed. */
export function uploadedFile(fields: Readonly<NodeFields>): NodeFields {
  return { ...fields, ...UPLOADED };
}

/** Processes a file after the call that uploads it. */
export function processFile(nodes: NodeStore, id: string): void {
  nodes.afterCall(() => {
    const { originalSource: url, alt = null } = nodes.fieldsOf(id);
    const image = url && nodes.find(id)?.type === 'MediaImage' ? { url, altText: alt } : null;
    nodes.update(id, {
      fileStatus: 'READY',
      status: 'READY',
      mimeType: mimeTypeOf(nodes.fieldsOf(id)),
      preview: { image, status: 'READY' },
      ...(url ? { image, url } : {}),
    });
  });
}

/** The name of a file: the one that it was given, else the one in its address. */
export function fileName({ filename, originalSource }: Readonly<NodeFields>): string {
  if (typeof filename === 'string') return filename;
  return (
    String(originalSource ?? '')
      .split(/[?#]/)[0]
      ?.split('/')
      .at(-1) ?? ''
  );
}

/** What is in files, by the ends of their names. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  ...{ csv: 'text/csv', gif: 'image/gif', glb: 'model/gltf-binary', jpeg: 'image/jpeg' },
  ...{ jpg: 'image/jpeg', json: 'application/json', mov: 'video/quicktime', mp4: 'video/mp4' },
  ...{ pdf: 'application/pdf', png: 'image/png', svg: 'image/svg+xml', txt: 'text/plain' },
  ...{ webp: 'image/webp', zip: 'application/zip' },
};

function mimeTypeOf(fields: Readonly<NodeFields>): string | null {
  const end = fileName(fields).split('.').at(-1)?.toLowerCase() ?? '';
  return Object.hasOwn(MIME_TYPES, end) ? (MIME_TYPES[end] ?? null) : null;
}

/** The types of files by what their input says they are. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  IMAGE: 'MediaImage',
  VIDEO: 'Video',
  EXTERNAL_VIDEO: 'ExternalVideo',
  MODEL_3D: 'Model3d',
  FILE: 'GenericFile',
};
