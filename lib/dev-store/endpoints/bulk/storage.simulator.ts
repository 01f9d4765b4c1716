import type { EventLog } from '../../base/event-log.js';
import { HEADERS } from '../../base/vendor.js';
import { html } from '../../http/page-html.js';
import type { Route, StoreReply, StoreRequest } from '../../http/store-request.js';
import type { BulkFile } from '../../state/bulk/bulk-operation.js';
import { LARGEST_UPLOAD, UPLOAD_PATH } from '../../state/bulk/staged-uploads.js';
import type { BulkShop } from './bulk-view.js';

/** The part of a shop that the file storage reads and changes. */
interface StorageShop extends Pick<BulkShop, 'bulk' | 'uploads' | 'storage'> {
  readonly log: EventLog;
}

/**
 * The platform's file storage, which is separate from its API: it uses signed URLs and no access
 * tokens.
 */
export class StorageSimulator {
  readonly routes: readonly Route[] = [
    {
      method: 'GET',
      pattern: /^\/bulk-results\/(\d{1,15})\.jsonl$/,
      answer: (request, [id]) => this.download(request, Number(id)),
    },
    {
      method: 'POST',
      pattern: /^\/staged-uploads$/,
      answer: (request) => this.uploadForm(request),
    },
    {
      method: 'PUT',
      pattern: /^\/staged-uploads\/(.+)$/,
      answer: (request) => this.uploadBody(request),
    },
  ];

  constructor(
    private readonly shop: StorageShop,
    private readonly now: () => Date,
  ) {}

  private download(request: StoreRequest, id: number): StoreReply {
    const problem = leakedToken(request) ?? this.shop.storage.problemOf('GET', request.url);
    if (problem) return this.logged(request, errorReply(problem));
    const file = this.shop.bulk.all().find((operation) => operation.id === id)?.file;
    return this.logged(
      request,
      file ? contents(file, request.header('range')) : errorReply('NoSuchKey'),
    );
  }

  private async uploadForm(request: StoreRequest): Promise<StoreReply> {
    const leak = leakedToken(request);
    const form = leak ? undefined : await formDataOf(request);
    // Fields after the file are not read, as on the platform.
    const file = [...(form ?? [])].at(-1)?.[0] === 'file' ? form?.get('file') : undefined;
    if (!form || !(file instanceof Blob))
      return this.logged(request, errorReply(leak ?? 'InvalidArgument'));
    const policy = textOf(form.get('policy'));
    if (!this.shop.storage.verify(policy, textOf(form.get('x-goog-signature'))))
      return this.logged(request, errorReply('SignatureDoesNotMatch'));
    const { key, expiration } = JSON.parse(Buffer.from(policy, 'base64').toString()) as {
      key: string;
      expiration: string;
    };
    if (textOf(form.get('key')) !== key) return this.logged(request, errorReply('AccessDenied'));
    if (new Date(expiration) < this.now()) return this.logged(request, errorReply('ExpiredToken'));
    return this.store(request, key, new Uint8Array(await file.arrayBuffer()), 201);
  }

  private uploadBody(request: StoreRequest): StoreReply {
    const problem = leakedToken(request) ?? this.shop.storage.problemOf('PUT', request.url);
    if (problem) return this.logged(request, errorReply(problem));
    return this.store(
      request,
      request.url.pathname.slice(UPLOAD_PATH.length + 1),
      request.body,
      200,
    );
  }

  private store(request: StoreRequest, key: string, file: Uint8Array, status: number): StoreReply {
    const found = this.shop.uploads.store(key, file);
    return this.logged(
      request,
      found
        ? xmlReply(status, html`<PostResponse><Key>${key}</Key></PostResponse>`.text)
        : errorReply('NoSuchKey'),
    );
  }

  /** Logs the path without its query, whose signature grants access. */
  private logged({ method, url }: StoreRequest, reply: StoreReply): StoreReply {
    this.shop.log.add({ kind: 'bulk', summary: `${method} ${url.pathname}`, status: reply.status });
    return reply;
  }
}

/** The size limit of a request to the storage, in bytes; undefined for other paths. */
export function uploadLimit(path: string): number | undefined {
  return path === UPLOAD_PATH || path.startsWith(`${UPLOAD_PATH}/`) ? LARGEST_UPLOAD : undefined;
}

function contents(file: BulkFile, range: string | undefined): StoreReply {
  const headers: Record<string, string> = {
    'Content-Type': 'application/jsonl',
    'Cache-Control': 'no-store',
  };
  const { size } = file;
  if (size === undefined) return { status: 200, headers, body: file.open() };
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})?$/.exec(range ?? '') ?? [];
  headers['Accept-Ranges'] = 'bytes';
  if (first === undefined)
    return {
      status: 200,
      headers: { ...headers, 'Content-Length': String(size) },
      body: file.open(),
    };
  const from = Number(first);
  const to = Math.min(Number(last ?? size - 1), size - 1);
  if (from > to) return { status: 416, headers: { 'Content-Range': `bytes */${size}` } };
  const part = {
    'Content-Range': `bytes ${from}-${to}/${size}`,
    'Content-Length': String(to - from + 1),
  };
  return { status: 206, headers: { ...headers, ...part }, body: cut(file, from, to + 1) };
}

/** The bytes of a file from one position up to another. */
async function* cut(file: BulkFile, from: number, to: number): AsyncGenerator<Uint8Array> {
  let position = 0;
  for await (const piece of file.open()) {
    const bytes = Buffer.from(piece);
    const kept = bytes.subarray(Math.max(0, from - position), Math.max(0, to - position));
    if (kept.length > 0) yield kept;
    position += bytes.length;
    if (position >= to) return;
  }
}

/** A signed URL with an access token: the app has sent its token to a host that is not the shop. */
function leakedToken(request: StoreRequest): 'TokenNotWanted' | undefined {
  const names = [
    'authorization',
    HEADERS.accessToken,
    HEADERS.storefrontPublicToken,
    HEADERS.storefrontPrivateToken,
  ];
  return names.some((name) => request.header(name) !== undefined) ? 'TokenNotWanted' : undefined;
}

const ERRORS = {
  AccessDenied: [403, 'Access denied.'],
  ExpiredToken: [400, 'The signed address has expired.'],
  InvalidArgument: [400, 'The body is not a form that ends with the field "file".'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  SignatureDoesNotMatch: [403, 'The signature is not that of this address.'],
  TokenNotWanted: [400, 'File storage is no part of the shop: a token must never be sent here.'],
} as const;

function errorReply(code: keyof typeof ERRORS): StoreReply {
  const [status, message] = ERRORS[code];
  return xmlReply(
    status,
    html`<Error><code>${code}</code><Message>${message}</Message></Error>`.text,
  );
}

function xmlReply(status: number, text: string): StoreReply {
  const headers = { 'Content-Type': 'application/xml; charset=UTF-8' };
  return { status, headers, body: `<?xml version='1.0' encoding='UTF-8'?>${text}` };
}

async function formDataOf(request: StoreRequest): Promise<FormData | undefined> {
  const headers = { 'Content-Type': request.header('content-type') ?? '' };
  try {
    return await new Response(new Uint8Array(request.body), { headers }).formData();
  } catch {
    return undefined;
  }
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === 'string' ? value : '';
}
