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

/** The types of files by what their input says they are. */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  IMAGE: 'MediaImage',
  VIDEO: 'Video',
  EXTERNAL_VIDEO: 'ExternalVideo',
  MODEL_3D: 'Model3d',
  FILE: 'GenericFile',
};
