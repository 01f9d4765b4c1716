import { TokenManager } from '../../lib/auth/tokens/token-manager.js';
import { SHOP } from '../support/app.js';
import { resolverOf } from '../support/resolver.js';
import { answerMessages } from './program.messages.js';
import { openAt } from './storage.engine.js';

const [address, shopOrigin] = process.argv.slice(2);
const storage = await openAt(address!);
const app = resolverOf({ sessionStorage: storage, shopOrigin: () => shopOrigin! });

const commands = {
  ready: () => storage.ready,

  /**
   * Asks for the shop's session as so many callers at once; answers the access tokens they got,
   * each once, and how the others failed.
   */
  async tokens(callers: number) {
    const asked = await Promise.allSettled(
      Array.from({ length: callers }, () => app.get(TokenManager).session(SHOP)),
    );
    return {
      tokens: [
        ...new Set(
          asked.flatMap((outcome) =>
            outcome.status === 'fulfilled' ? [outcome.value.accessToken!] : [],
          ),
        ),
      ],
      failures: asked.flatMap((outcome) =>
        outcome.status === 'rejected' ? [String(outcome.reason)] : [],
      ),
    };
  },

  async close() {
    await app.close();
    await storage.close();
  },
};
/** What the process can be asked for. */
export type TokenCommands = typeof commands;
answerMessages(commands);
