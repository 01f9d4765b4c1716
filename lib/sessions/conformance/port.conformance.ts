import { loadAssert } from './lazy-assert.js';

/** Where the cases go: the functions of any test runner (`jest`, `vitest`, `node:test`). */
export interface SuiteRunner<Port> {
  describe(name: string, body: () => void): unknown;
  it(title: string, body: () => Promise<void>): unknown;
  /** Called after each case with what it had opened. */
  close?(port: Port): unknown;
  /**
   * What is opened twice sees the same data, as two processes would: the cases then use two at
   * once. @default false
   */
  readonly shared?: boolean | undefined;
}

/**
 * One test per title. `other` sees the same data; it is `port` itself unless the runner says
 * `shared`.
 */
export type Cases<Port> = Readonly<Record<string, (port: Port, other: Port) => Promise<void>>>;

/** Declares one test per case, each with ports of its own. */
export function describeCases<Port, Opened extends Port>(
  name: string,
  cases: Cases<Port>,
  open: () => Opened | Promise<Opened>,
  runner: SuiteRunner<Opened>,
): void {
  runner.describe(name, () => {
    for (const [title, run] of Object.entries(cases)) {
      runner.it(title, async () => {
        await loadAssert();
        const opened: Opened[] = [];
        const openOne = async (): Promise<Opened> => {
          const port = await open();
          opened.push(port);
          return port;
        };
        try {
          const port = await openOne();
          await run(port, runner.shared ? await openOne() : port);
        } finally {
          for (const port of opened) await runner.close?.(port);
        }
      });
    }
  });
}
