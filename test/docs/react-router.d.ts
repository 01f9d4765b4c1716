// The part of React Router's compiler that the code in the README uses: it is no dependency.
declare module '@react-router/dev/routes' {
  interface RouteConfigEntry {
    readonly file: string;
    readonly path?: string;
    readonly index?: boolean;
  }
  export type RouteConfig = RouteConfigEntry[];
  export function index(file: string): RouteConfigEntry;
  export function route(path: string, file: string): RouteConfigEntry;
}
