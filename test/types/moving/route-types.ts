/**
 * What routes take from their framework. Written here because the types of Remix narrow
 * `process.env.NODE_ENV` for everything that is compiled with them.
 */
export interface LoaderFunctionArgs {
  request: Request;
  params: Readonly<Record<string, string | undefined>>;
  context: unknown;
}
export type ActionFunctionArgs = LoaderFunctionArgs;
export interface EntryContext {
  isSpaMode: boolean;
}
export declare function remixRedirect(url: string, init?: number | ResponseInit): Response;
