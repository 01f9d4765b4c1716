import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const WATCH = Symbol.for('shopwright:leak-watch');

/**
 * Node, and behind the last hook of a test file the question whether a secret left it. A file with
 * a leak fails.
 */
export default class RedactionEnvironment extends TestEnvironment {
  /**
   * Jest's own global object asks a proxy for every name: `Math` or `Buffer` cost a microsecond
   * each time that they are read. A plain one, which older versions of Node lack, costs nothing.
   */
  constructor(config, context) {
    const { createContext } = vm;
    vm.createContext = (sandbox) => createContext(vm.constants?.DONT_CONTEXTIFY ?? sandbox);
    try {
      super(config, context);
    } finally {
      vm.createContext = createContext;
    }
  }

  async handleTestEvent({ name }, { unhandledErrors }) {
    const watch = this.global[WATCH];
    if (name !== 'run_finish' || !watch) return;
    // What is on its way gets out.
    await new Promise(setImmediate);
    watch.end();
    const leaks = watch.leaks();
    if (leaks.length > 0) unhandledErrors.push(reportOf(leaks));
  }

  async teardown() {
    this.global[WATCH]?.end();
    await super.teardown();
  }
}

/** An error whose stack would point here, where nothing is wrong. */
function reportOf(leaks) {
  const error = new Error('A secret left the toolkit');
  error.stack = `A secret left the toolkit:\n${leaks.map((leak) => `  - ${leak}`).join('\n')}`;
  return error;
}
