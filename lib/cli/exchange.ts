import type { IncomingHttpHeaders, RequestOptions } from 'node:http';

import { TimeLimit } from '../core/http/time-limit.js';
import { systemClock, stopwatch } from '../core/time/clock.js';

/** A request that a command sends. */
export interface Question {
  /** @default 'GET' */
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Buffer | undefined;
  /** In milliseconds. @default 15,000 */
  readonly limit?: number | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
}

/** What an app answered. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Each `Set-Cookie` header. */
  readonly cookies: readonly string[];
  /** At most a megabyte of it. */
  readonly body: string;
  /** From the first byte sent to the last one received, in milliseconds. */
  readonly ms: number;
}

const LIMIT = 15_000;
const LONGEST_BODY = 1_000_000;

/**
 * Sends a request and reads the answer; redirects are not followed. Headers go out as they are
 * given, which `fetch` does not promise.
 * @throws the system's error when there is no answer
 */
export async function exchange(url: URL, question: Question = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, limit = LIMIT, signal } = question;
  const { request } = await (url.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  const elapsed = stopwatch(systemClock);
  const time = new TimeLimit(systemClock, limit, signal);
  const options: RequestOptions = {
    method,
    headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
    signal: time.signal,
    agent: false,
  };
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const sent = request(url, options, (response) => {
        const parts: Buffer[] = [];
        let length = 0;
        const end = (): void =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            cookies: response.headers['set-cookie'] ?? [],
            body: Buffer.concat(parts).toString('utf8'),
            ms: Math.round(elapsed()),
          });
        response.on('data', (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length <= LONGEST_BODY) return;
          end();
          response.destroy();
        });
        response.on('end', end);
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  } catch (cause) {
    if (time.isOver) throw new Error(`no answer within ${limit} ms`, { cause });
    throw cause;
  } finally {
    time.cancel();
  }
}

/** Why there was no answer, for people: codes of the system where there are some. */
export function whyUnanswered(error: unknown): string {
  const { code, message, errors } = Object(error) as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly errors?: readonly unknown[];
  };
  // One for each address of the host.
  const [first] = errors ?? [];
  if (first !== undefined) return whyUnanswered(first);
  return typeof code === 'string' ? `${code}: ${String(message)}` : String(message);
}

/** True for an address of this machine alone, which nothing leaves. */
export function isLoopback({ hostname }: URL): boolean {
  return (
    /^(?:.+\.)?localhost\.?$/.test(hostname) ||
    /^127(?:\.\d+){3}$/.test(hostname) ||
    hostname === '[::1]'
  );
}
