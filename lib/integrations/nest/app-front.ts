import type { IncomingMessage, ServerResponse } from 'node:http';

import type { AbstractHttpAdapter } from '@nestjs/core';

/** Hands a request on. */
type Next = (error?: unknown) => void;

/** What stands in front of an app: middleware of Express, a hook on Fastify. */
export interface InFront {
  /**
   * Answers a request, or calls `next`, at once when it belongs to the app.
   * @param onAnswered called when the response has been sent
   * @param headers that the app wants on the response and that are not on it yet
   */
  answer(
    req: IncomingMessage,
    res: ServerResponse,
    next: Next,
    onAnswered?: () => void,
    headers?: () => Headers,
  ): void;
  /** Whether it answers the request, whatever the app does. */
  owns(req: IncomingMessage): boolean;
}
type Headers = Readonly<Record<string, number | string | readonly string[] | undefined>>;

interface FastifyReply {
  readonly raw: ServerResponse;
  getHeaders(): Headers;
  hijack(): void;
}
interface FastifyLike {
  addHook(
    name: 'onRequest',
    hook: (request: { raw: IncomingMessage }, reply: FastifyReply, done: Next) => void,
  ): unknown;
  register(plugin: (instance: FastifyLike, options: object, done: Next) => void): unknown;
}

type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => unknown;
/** As far as it is replaced. Nest calls both on the adapter it was given. */
type Adapter = Pick<AbstractHttpAdapter, 'getType' | 'getInstance'> & {
  use(...args: unknown[]): unknown;
  registerParserMiddleware(...args: unknown[]): unknown;
};

/** The names of Express's body parsers, by which Nest tells as well whether there is one. */
const BODY_PARSERS: ReadonlySet<string> = new Set(
  ['json', 'urlencoded', 'text', 'raw'].map((kind) => `${kind}Parser`),
);
/** Has Fastify add the hooks of a plugin to the app itself, as the plugins of middleware do. */
const SKIP_OVERRIDE = Symbol.for('skip-override');

const FRONTS = new WeakMap<object, AppFront>();

/**
 * The place in front of an app where the toolkit answers its own paths: behind all middleware that
 * the app has registered before `init()`, and ahead of every body parser.
 */
export class AppFront {
  readonly #standing: InFront[] = [];
  #isOpen = false;

  private constructor(private readonly adapter: Adapter) {
    if (this.#isFastify) return;
    // Nest tells nobody that it is about to add its parsers, behind the middleware of the app. It
    // asks the adapter to, unless the app has switched them off.
    const { registerParserMiddleware, use } = adapter;
    adapter.registerParserMiddleware = (...args) => {
      this.open();
      return registerParserMiddleware.apply(adapter, args);
    };
    adapter.use = (...args) =>
      use.apply(adapter, this.#isOpen ? args : args.map((arg) => this.#pastOurs(arg)));
  }

  /** That of a Nest app, made when it is first asked for. */
  static of(adapter: AbstractHttpAdapter): AppFront {
    const front = FRONTS.get(adapter) ?? new AppFront(adapter as unknown as Adapter);
    FRONTS.set(adapter, front);
    return front;
  }

  /** Adds what stands there, behind what was added before. */
  add(one: InFront): void {
    if (this.#isOpen) this.#place(one);
    else this.#standing.push(one);
  }

  /** Puts it behind the middleware that is there by now. Called again, it does nothing. */
  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const one of this.#standing) this.#place(one);
  }

  #place(one: InFront): void {
    if (this.#isFastify) beforeFastify(this.adapter.getInstance<FastifyLike>(), one);
    else
      this.adapter.use((req: IncomingMessage, res: ServerResponse, next: Next) =>
        one.answer(req, res, next),
      );
  }

  get #isFastify(): boolean {
    return this.adapter.getType() === 'fastify';
  }

  /** A body parser that leaves our requests alone: it would refuse what we accept. */
  #pastOurs(argument: unknown): unknown {
    if (typeof argument !== 'function' || !BODY_PARSERS.has(argument.name)) return argument;
    const parse = argument as Middleware;
    const parser: Middleware = (req, res, next) =>
      this.#standing.some((one) => one.owns(req)) ? next() : parse(req, res, next);
    return Object.defineProperty(parser, 'name', { value: parse.name });
  }
}

/**
 * As a plugin: those that the app has registered, such as `@fastify/helmet`, add their hooks first.
 * Fastify parses bodies after all hooks of this kind.
 */
function beforeFastify(fastify: FastifyLike, one: InFront): void {
  const plugin = (instance: FastifyLike, _options: object, done: Next): void => {
    instance.addHook('onRequest', ({ raw }, reply, next) =>
      one.answer(
        raw,
        reply.raw,
        next,
        () => reply.hijack(),
        () => reply.getHeaders(),
      ),
    );
    done();
  };
  fastify.register(Object.assign(plugin, { [SKIP_OVERRIDE]: true }));
}
