/** An alias of `package.json`; the package brings no types. */
declare module 'node-fetch-2' {
  const fetch: typeof import('node-fetch').default;
  export default fetch;
}
