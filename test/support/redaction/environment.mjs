import channels from 'node:diagnostics_channel';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const WATCH = Symbol.for('shopwright:leak-watch');

/**
 * Node, and behind the last hook of a test file the question whether a secret left it: a file with a
 * leak fails. No subscription to a channel outlives its file.
 */
export default class RedactionEnvironment extends TestEnvironment {
  #unsubscribe = () => {};

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
    this.#recordSubscriptions();
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
    this.#unsubscribe();
    await super.teardown();
  }

  /**
   * Channels are those of the process: the subscription of an app whose boot failed, and which so
   * is never closed, would copy the bodies of the next file.
   */
  #recordSubscriptions() {
    const { subscribe } = channels;
    const made = [];
    channels.subscribe = (...subscription) => {
      made.push(subscription);
      subscribe(...subscription);
    };
    this.#unsubscribe = () => {
      channels.subscribe = subscribe;
      for (const subscription of made) channels.unsubscribe(...subscription);
    };
  }
}

/** An error whose stack would point here, where nothing is wrong. */
function reportOf(leaks) {
  const error = new Error('A secret left the toolkit');
  error.stack = `A secret left the toolkit:\n${leaks.map((leak) => `  - ${leak}`).join('\n')}`;
  return error;
}
