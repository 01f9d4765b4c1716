import type { ServerResponse } from 'node:http';

import type { NodeRequest } from '../../core/http/node-http.js';
import type { RequirePlanOptions } from '../../billing/billing-gate.js';
import type { PlanRequiredError } from '../../billing/billing.errors.js';
import type { Untyped } from '../../core/json.js';

// Express keeps its types in a package of its own, which an app may lack or have in another
// version: these are assignable to those of Express 4 and 5, and name nothing that has to be
// installed.

/** As much of Express's request as the middleware reads. */
export type ExpressRequest = NodeRequest & { readonly route?: unknown };

/** As much of Express's response as the middleware uses, and as an app usually answers with. */
export interface ExpressResponse extends ServerResponse {
  locals: Express.Locals & Record<string, Untyped>;
  status(code: number): this;
  redirect(url: string): void;
  json(body: Untyped): this;
  send(body: Untyped): this;
}

/** Hands the request on to the next handler, or an error to the app's error handler. */
export type ExpressNext = (error?: unknown) => void;

/** Middleware that is mounted as any other: Express's own `RequestHandler`. */
export type ExpressHandler<Req = ExpressRequest, Res = ExpressResponse> = (
  req: Req,
  res: Res,
  next: ExpressNext,
) => void | Promise<void>;

/** Middleware for errors: Express's own `ErrorRequestHandler`. */
export type ExpressErrorHandler<Req = ExpressRequest, Res = ExpressResponse> = (
  error: unknown,
  req: Req,
  res: Res,
  next: ExpressNext,
) => void | Promise<void>;

/** Arguments of `redirectOutOfApp` in one object. */
export interface RedirectOutOfAppParams {
  readonly req: ExpressRequest;
  readonly res: ExpressResponse;
  readonly redirectUri: string;
  /** @default the shop the request names */
  readonly shop?: string | undefined;
}

/** What `requirePlan` asks for. */
export interface RequirePlan<Req = ExpressRequest, Res = ExpressResponse> extends Omit<
  RequirePlanOptions,
  'onFailure'
> {
  /**
   * `deny` responds with 402; a function responds in place of the toolkit, such as with a page of
   * plans. @default 'request'
   */
  readonly onFailure?:
    'request' | 'deny' | ((error: PlanRequiredError, req: Req, res: Res) => unknown) | undefined;
}

/** Positional, or everything in one object. */
export interface RedirectOutOfApp {
  (req: ExpressRequest, res: ExpressResponse, url: string): Promise<void>;
  (params: RedirectOutOfAppParams): Promise<void>;
}

/** Who may see `webhooksPage()`. */
export interface WebhooksPageOptions {
  /** True lets the request through; anything else is answered with 403, unless it is answered. */
  readonly authorize: (req: ExpressRequest, res: ExpressResponse) => boolean | Promise<boolean>;
}
