/** Response headers in order; a name may come more than once (`set-cookie`). */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The browser must go elsewhere. `location` is absolute, or a path on the app's own origin. */
export interface RedirectDecision<Reason extends string = string> {
  readonly kind: 'redirect';
  readonly location: string;
  /** Machine-readable, such as `begin_oauth` or `exit_iframe`. */
  readonly reason: Reason;
  readonly headers?: HeaderList | undefined;
  /** What a hook of the app has thrown, for hosts that can answer with it. */
  readonly thrown?: Response | undefined;
}

/** The toolkit answers with a page of its own. */
export interface DocumentDecision<Reason extends string = string> {
  readonly kind: 'document';
  readonly html: string;
  /** Machine-readable, such as `session_token_page`. */
  readonly reason: Reason;
  /** @default 200 */
  readonly status?: number | undefined;
  readonly headers?: HeaderList | undefined;
  /** True when a hook of the app has made it. @default false */
  readonly isOfApp?: boolean | undefined;
  /** What the hook has thrown, unread, for hosts that can answer with it. */
  readonly thrown?: Response | undefined;
}

/** The request is denied. */
export interface DeniedDecision<Reason extends string = string> {
  readonly kind: 'denied';
  readonly status: number;
  /** Machine-readable, such as `hmac_invalid`. */
  readonly reason: Reason;
  /** For people: what is wrong and what to do. Never contains a secret. */
  readonly message: string;
  readonly headers?: HeaderList | undefined;
  /** For programs: what else the JSON of the reply says, such as an address to go to. */
  readonly details?: Readonly<Record<string, string>> | undefined;
}

/** The request is done and needs no content, such as an accepted webhook. */
export interface AcceptedDecision {
  readonly kind: 'accepted';
  readonly reason: string;
  /** @default 200 */
  readonly status?: number | undefined;
}

/** A decision that ends a request with a response. */
export type ResponseDecision = RedirectDecision | DocumentDecision | DeniedDecision;
/** Every decision that ends a request. */
export type Decision = ResponseDecision | AcceptedDecision;

/** Shorthand for a {@link DeniedDecision}. */
export function denied<Reason extends string>(
  status: number,
  reason: Reason,
  message: string,
  headers?: HeaderList,
): DeniedDecision<Reason> {
  return { kind: 'denied', status, reason, message, headers };
}

/** A 503 that asks the client to send the request again after five seconds. */
export function busy<Reason extends string>(
  reason: Reason,
  message: string,
): DeniedDecision<Reason> {
  return denied(503, reason, `${message} Try again later.`, [['retry-after', '5']]);
}
