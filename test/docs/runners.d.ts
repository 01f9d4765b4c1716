// The part of test runners that the code in `docs/testing.md` uses: they are no dependencies.
declare module 'vitest/config' {
  export function defineConfig(config: { plugins: object[]; test: { include: string[] } }): object;
}
declare module 'unplugin-swc' {
  const swc: { vite(options: { module: { type: 'es6' } }): object };
  export default swc;
}
