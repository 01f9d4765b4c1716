/** A request as a client handed it to `fetch`. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What comes back: a reply, or an error that `fetch` rejects with. */
export type Scripted = Response | Error | (() => Response);

/**
 * A `fetch` that answers from a list, in order, and keeps what it was asked. The last answer is
 * given again and again.
 */
export class ScriptedFetch {
  readonly sent: SentRequest[] = [];
  readonly #answers: Scripted[];

  constructor(...answers: Scripted[]) {
    this.#answers = answers;
  }

  readonly fetch: typeof globalThis.fetch = async (url, init) => {
    init?.signal?.throwIfAborted();
    this.sent.push({
      url: String(url),
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? init.body : undefined,
    });
    const answer =
      this.#answers[Math.min(this.sent.length, this.#answers.length) - 1] ?? new Response();
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer() : answer;
  };

  /** The only request, or the last one. */
  get last(): SentRequest {
    const request = this.sent.at(-1);
    if (!request) throw new Error('nothing was sent');
    return request;
  }
}

/** A JSON reply. */
export function json(body: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  });
}
