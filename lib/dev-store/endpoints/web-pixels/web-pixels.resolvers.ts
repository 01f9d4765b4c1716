import { parsedJson } from '../../base/typed-values.js';
import type { StoredNode } from '../../state/nodes/node-store.js';
import type { NodeWriter } from '../nodes/node-writer.js';

const TYPE = 'WebPixel';

interface PixelArgs {
  id: string;
  webPixel: { settings: unknown };
}

/**
 * The resolvers of web pixels, of which each app has one.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/WebPixel
 */
export function webPixelsRoot({ reader, view, apiKey }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const own = (): StoredNode | undefined =>
    nodes.all([TYPE]).find(({ fields }) => fields['apiKey'] === apiKey);
  const isOwn = (id: string): boolean => own()?.id === id;
  const refused = (result: string, field: string, message: string, code: string): object => ({
    [result]: null,
    userErrors: [{ field: [field], message, code }],
  });
  const missing = (result: string): object =>
    refused(result, 'id', 'Web pixel does not exist', 'NOT_FOUND');
  const written = ({ settings }: PixelArgs['webPixel'], id: string | undefined): object => {
    const text = textOf(settings);
    if (text === undefined) {
      const message = 'The settings are not a JSON object';
      return refused('webPixel', 'settings', message, 'INVALID_CONFIGURATION_JSON');
    }
    const fields = { settings: text, apiKey };
    if (id !== undefined) nodes.update(id, fields);
    return { webPixel: view(id ?? nodes.create(TYPE, fields).id), userErrors: [] };
  };
  return {
    webPixel: ({ id }: { id?: string | null }) => {
      const pixel = own();
      return pixel && (id == null || pixel.id === id) ? view(pixel.id) : null;
    },
    webPixelCreate: ({ webPixel }: PixelArgs) =>
      own()
        ? refused('webPixel', 'webPixel', 'The app has a web pixel already', 'TAKEN')
        : written(webPixel, undefined),
    webPixelUpdate: ({ id, webPixel }: PixelArgs) =>
      isOwn(id) ? written(webPixel, id) : missing('webPixel'),
    webPixelDelete: ({ id }: PixelArgs) => {
      if (!isOwn(id)) return missing('deletedWebPixelId');
      nodes.delete(id);
      return { deletedWebPixelId: id, userErrors: [] };
    },
  };
}

/** Settings as the platform keeps them: the text of a JSON object, which an app may pass as one. */
function textOf(settings: unknown): string | undefined {
  const value = typeof settings === 'string' ? parsedJson(settings) : settings;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? JSON.stringify(value) : undefined;
}
