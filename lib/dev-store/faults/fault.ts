/** Which requests to the store a fault is for; what is left out matches any. */
export interface RequestTarget {
  /** Such as `'POST'`. */
  readonly method?: string | undefined;
  /** The path without its query; `*` stands for any text: `/admin/api/*`. */
  readonly path?: string | undefined;
  /**
   * A GraphQL operation: its name, or a field that it begins with, such as `productCreate`. `*`
   * stands for any text.
   */
  readonly operation?: string | undefined;
  /** Domain of a shop. */
  readonly shop?: string | undefined;
  /** API key of the app whose token the request carries. */
  readonly apiKey?: string | undefined;
}

/** Which webhook deliveries a fault is for; what is left out matches any. */
export interface DeliveryTarget {
  /** In either spelling, or with `*` for any text: `products/*`. */
  readonly topic: string;
  /** Domain of a shop. */
  readonly shop?: string | undefined;
  /** API key of the app that is delivered to. */
  readonly apiKey?: string | undefined;
}

/** How often a fault happens. */
export interface FaultFrequency {
  /** After so many it is over. @default without end */
  readonly times?: number | undefined;
  /** Between 0 and 1: how probable it is for each that matches. @default 1 */
  readonly probability?: number | undefined;
}

/** What goes wrong with requests to the store. Without `latency` it needs one of the others. */
export interface RequestFault extends FaultFrequency {
  readonly on: RequestTarget;
  /** Milliseconds of the store's clock until the answer. */
  readonly latency?: number | undefined;
  /** Answers with this status. */
  readonly status?: number | undefined;
  /** Beside `status` or `html`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of the answer with `status`. @default an error in JSON */
  readonly body?: string | undefined;
  /** Answers with a page of HTML, as proxies do; with `status`, of that status. @default 200 */
  readonly html?: boolean | undefined;
  /** Answers as beyond the limits: 200 with `THROTTLED` for GraphQL, else 429. */
  readonly throttled?: boolean | undefined;
  /** Resets the connection in place of an answer. */
  readonly reset?: boolean | undefined;
  /** Carries the request out, and ends the connection in the middle of the answer's body. */
  readonly truncated?: boolean | undefined;
  /** Revokes every token of the app that asks, before its request is looked at. */
  readonly revokesTokens?: boolean | undefined;
  /**
   * Carries the request out although the answer says otherwise, or is lost. @default false, but for
   * `truncated`
   */
  readonly executed?: boolean | undefined;
}

/** What goes wrong with webhook deliveries. It needs one of `late` and what follows it. */
export interface DeliveryFault extends FaultFrequency {
  readonly on: DeliveryTarget;
  /** Milliseconds of the store's clock until the first attempt. */
  readonly late?: number | undefined;
  /** How many requests of the same delivery are sent at once. */
  readonly copies?: number | undefined;
  /** Waits until a later delivery has been made to the app, or for `devStore.settled()`. */
  readonly outOfOrder?: boolean | undefined;
  /** With a signature of another secret, or without one. */
  readonly signature?: 'wrong' | 'missing' | undefined;
}

/** What goes wrong, where and how often. */
export type Fault = RequestFault | DeliveryFault;

/** A fault that was added. */
export interface ActiveFault {
  /** Its number, from 1. */
  readonly id: number;
  readonly fault: Fault;
  /** How often it has happened. */
  readonly hits: number;
}

/** True for a fault of webhook deliveries. */
export function isDeliveryFault(fault: Fault): fault is DeliveryFault {
  return 'topic' in fault.on;
}
