import { randomUUID } from 'node:crypto';
import { UPLOAD_LIFETIME, type StorageSigner } from './storage-signer.js';

/** The most bytes of variables that one bulk mutation may read. */
export const LARGEST_UPLOAD = 100 * 1024 * 1024;

/** Where files are uploaded to. A form is posted here; a bare body is put to `<path>/<key>`. */
export const UPLOAD_PATH = '/staged-uploads';

/** What an app says about a file before it uploads it. */
export interface StagedUploadInput {
  filename: string;
  mimeType: string;
  httpMethod: 'POST' | 'PUT';
  fileSize?: string | number | null;
}

/** Where and with which parameters the file goes; `path` lies on the shop's origin. */
export interface StagedTarget {
  path: string;
  key: string;
  parameters: ReadonlyArray<{ name: string; value: string }>;
}

/** The files that apps upload to one shop, each at a place that was prepared for it. */
export class StagedUploads {
  private readonly places = new Map<string, { apiKey: string; file?: Uint8Array }>();

  constructor(
    private readonly shopId: number,
    private readonly signer: StorageSigner,
    private readonly now: () => Date,
  ) {}

  /** Prepares a place for a file of an app. */
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

  /** Keeps an uploaded file. Whether there was a place for it. */
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
