// The part of frameworks that the code in `docs/fetch-hosts.md` uses: they are no dependencies.
declare module 'hono' {
  interface Context {
    readonly req: { readonly raw: Request };
  }
  type Reply = Response | Promise<Response>;
  export class Hono {
    use(
      middleware: (context: Context, next: () => Promise<void>) => Promise<Response | void>,
    ): this;
    get(path: string, handler: (context: Context) => Reply): this;
    fetch(request: Request): Reply;
  }
}
