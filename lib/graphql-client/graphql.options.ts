import type { HeaderOptions } from '../core/http/api-request.js';
import type { Priority } from '../core/pacing/pacer.js';
import type { VariablesOf } from './graphql-document.js';

/** How errors are reported: `throw` throws them, `all` returns them beside the data there is. */
export type ErrorPolicy = 'throw' | 'all';

/**
 * How the `userErrors` of a mutation are reported: as part of the data, or thrown as a
 * {@link UserErrorsError}.
 */
export type UserErrorPolicy = 'return' | 'throw';

/** How a call is made, whatever it asks. */
export interface GraphqlCallOptions {
  readonly headers?: HeaderOptions | undefined;
  /** For this call. */
  readonly apiVersion?: string | undefined;
  /**
   * Attempts after the first, 0 to 3. A mutation is repeated only when the platform was too busy to
   * begin it. @default the client's
   */
  readonly retries?: number | undefined;
  /** Attempts in all, 1 to 4: the same as `retries`, said as the platform's own libraries do. */
  readonly tries?: number | undefined;
  /** A mutation may be sent again although it may have run. @default false */
  readonly idempotent?: boolean | undefined;
  /** Calls that nobody waits for let the others pass. @default 'interactive' */
  readonly priority?: Priority | undefined;
  /**
   * Of one attempt, and of the wait for each further part of a stream, in milliseconds.
   * @default the client's
   */
  readonly timeout?: number | undefined;
  /** Of all attempts and waits together, to the end of a stream, in milliseconds. @default none */
  readonly deadline?: number | undefined;
  /** Ends the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** In a browser, the call outlives the page that makes it. @default false */
  readonly keepalive?: boolean | undefined;
  /**
   * Once it is sent it is seen through, so that its outcome is known: the signal ends only the
   * waits before. @default false
   */
  readonly finishOnceSent?: boolean | undefined;
}

/** How a request is made and what becomes of its errors. */
export interface GraphqlRequestOptions extends GraphqlCallOptions {
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** @default the client's */
  readonly errorPolicy?: ErrorPolicy | undefined;
  /** @default the client's */
  readonly userErrors?: UserErrorPolicy | undefined;
}

/** How a stream is opened and what becomes of its end. */
export interface GraphqlStreamOptions extends GraphqlCallOptions {
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** @default the client's */
  readonly errorPolicy?: ErrorPolicy | undefined;
}

type Options<TOptions, TVariables> = Omit<TOptions, 'variables'> &
  (Record<never, never> extends TVariables
    ? { readonly variables?: TVariables | undefined }
    : { readonly variables: TVariables });

/** Options with the variables of an operation: required where the operation requires one. */
export type OptionsFor<Operations, Document, TOptions> = Options<
  TOptions,
  VariablesOf<Operations, Document>
>;

/** The arguments behind the document; none are needed where nothing is required. */
export type ArgumentsFor<Operations, Document, TOptions> =
  Record<never, never> extends OptionsFor<Operations, Document, TOptions>
    ? [options?: OptionsFor<Operations, Document, TOptions>]
    : [options: OptionsFor<Operations, Document, TOptions>];

/** Options of a request that keeps the client's error policy. */
export interface OwnPolicy<Policy extends ErrorPolicy> extends GraphqlRequestOptions {
  readonly errorPolicy?: Policy | undefined;
}

/** Options of a request that asks for the other error policy. */
export interface OtherPolicy<Policy extends ErrorPolicy> extends GraphqlRequestOptions {
  readonly errorPolicy: Other<Policy>;
}

/** The policy that is not the given one. */
export type Other<Policy extends ErrorPolicy> = Exclude<ErrorPolicy, Policy>;

/** Variables of an operation that is paged through: the position is ours to set. */
export type PageVariables<TVariables> = Omit<TVariables, 'first' | 'after'> & {
  /**
   * Nodes per page; halved when the platform finds a page too costly. @default the one the document
   * declares, else 50
   */
  readonly first?: number | undefined;
  /** Where to begin. @default the beginning */
  readonly after?: string | null | undefined;
};
