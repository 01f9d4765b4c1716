import { describe, expect, it } from '@jest/globals';
import { isBuiltin } from 'node:module';
import * as reactRouter from '../../../lib/integrations/react-router/index.js';
import * as reactRouterInBrowsers from '../../../lib/integrations/react-router/browser.js';
import * as remix from '../../../lib/integrations/remix/index.js';
import * as remixInBrowsers from '../../../lib/integrations/remix/browser.js';
import { allImports, readSource, resolveImport } from '../../architecture/source-tree.js';

type Module = Readonly<Record<string, unknown>>;

const ENTRIES: readonly [folder: string, onServers: Module, inBrowsers: Module][] = [
  ['remix', remix, remixInBrowsers],
  ['react-router', reactRouter, reactRouterInBrowsers],
];
/** What needs a server; everything else is the same in a browser. */
const SERVER_MEMBERS =
  /^(?:platformApp|shopifyApp|\w+Integration|InvalidWebhookError|MemorySessionStorage|PlatformApi|TokenManager)$/;

describe.each(ENTRIES)('what browsers get of shopwright/%s', (folder, onServers, inBrowsers) => {
  it('has every name of the server', () => {
    expect(Object.keys(inBrowsers).sort()).toEqual(Object.keys(onServers).sort());
  });

  it('has the same values but for what needs a server, and the boundary', () => {
    const others = Object.keys(onServers).filter((name) => inBrowsers[name] !== onServers[name]);
    expect(others.filter((name) => !SERVER_MEMBERS.test(name))).toEqual(['boundary']);
  });

  it('says what happened when a member of the server is used', () => {
    const members = Object.keys(inBrowsers).filter((name) => SERVER_MEMBERS.test(name));
    expect(members).toHaveLength(7);
    for (const name of members) {
      const member = inBrowsers[name] as { (): never; new (): never };
      const refusal = expect.objectContaining({
        code: 'ERR_SERVER_ONLY',
        message: expect.stringMatching(`^${name} needs a server, and was called in a browser`),
      });
      expect(thrownBy(() => member())).toEqual(refusal);
      expect(thrownBy(() => new member())).toEqual(refusal);
    }
  });

  it('imports nothing of Node', () => {
    const files = new Set([`lib/integrations/${folder}/browser.ts`]);
    const packages = new Set<string>();
    for (const file of files)
      for (const name of allImports(file, readSource(file))) {
        const imported = resolveImport(file, name);
        if (imported) files.add(imported);
        else packages.add(name);
      }
    expect([...packages].filter((name) => isBuiltin(name))).toEqual([]);
    expect(packages).toContain('react');
  });
});

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
