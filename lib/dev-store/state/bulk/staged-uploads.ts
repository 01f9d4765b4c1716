import { randomUUID } from 'node:crypto';
import { UPLOAD_LIFETIME, type StorageSigner } from './storage-signer.js';

/** The size limit of the variables of one bulk mutation, in bytes. */
export const LARGEST_UPLOAD = 100 * 1024 * 1024;

/** The upload path. A form is posted here; a plain body is put to `<path>/<key>`. */
export const UPLOAD_PATH = '/staged-uploads';

/** The description of a file to upload. */
export interface StagedUploadInput {
  filename: string;
  mimeType: string;
  /** What it is for, e.g. `IMAGE`. */
  resource: string;
  httpMethod: 'POST' | 'PUT';
  fileSize?: string | number | null;
}

/** The target of an upload and its parameters; `path` is on the shop's origin. */
interface StagedTarget {
  path: string;
  key: string;
  parameters: ReadonlyArray<{ name: string; value: string }>;
}

/** The files that apps upload to one shop, each to a prepared target. */
export class StagedUploads {
  private readonly places = new Map<string, { apiKey: string; file?: Uint8Array }>();

  constructor(
    private readonly shopId: number,
    private readonly signer: StorageSigner,
    private readonly now: () => Date,
  ) {}

  /** Prepares an upload of an app. */
  prepare(apiKey: string, { filename, mimeType, httpMethod }: StagedUploadInput): StagedTarget {
    const key = `tmp/${this.shopId}/bulk/${randomUUID()}/${encodeURIComponent(filename)}`;
    this.places.set(key, { apiKey });
    if (httpMethod === 'PUT') {
      const path = this.signer.signedPath('PUT', `${UPLOAD_PATH}/${key}`, UPLOAD_LIFETIME);
      return {
        path,
        key,
        parameters: [
          { name: 'content_type', value: mimeType },
          { name: 'acl', value: 'private' },
        ],
      };
    }
    const expiration = new Date(this.now().getTime() + UPLOAD_LIFETIME * 1000).toISOString();
    const policy = Buffer.from(JSON.stringify({ expiration, key })).toString('base64');
    const values = {
      'Content-Type': mimeType,
      success_action_status: '201',
      acl: 'private',
      key,
      policy,
      'x-goog-signature': this.signer.signature(policy),
    };
    return {
      path: UPLOAD_PATH,
      key,
      parameters: Object.entries(values).map(([name, value]) => ({ name, value })),
    };
  }

  /** Stores an uploaded file. Returns whether the upload was prepared. */
  store(key: string, file: Uint8Array): boolean {
    const place = this.places.get(key);
    if (place) place.file = file;
    return place !== undefined;
  }

  /** A file that an app has uploaded. */
  find(apiKey: string, key: string): Uint8Array | undefined {
    const place = this.places.get(key);
    return place?.apiKey === apiKey ? place.file : undefined;
  }
}
