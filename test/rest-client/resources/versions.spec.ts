import { describe, expect, it } from '@jest/globals';

import { InvalidOptionsError } from '../../../lib/core/core.errors.js';
import { PlatformConfig } from '../../../lib/core/config/platform-config.js';
import type { PlatformOptions } from '../../../lib/platform/kernel/platform.options.js';
import { defineResources } from '../../../lib/rest-client/resources/define-resources.js';
import { SHOP } from '../../support/app.js';
import { resolverOf } from '../../support/resolver.js';
import { SESSION, VERSIONS, mounted } from './resources.fixture.js';

/**
 * What the platform's own library has in each version: resources, methods, and of these find, all,
 * count, delete, other statics, actions; paths; attributes.
 */
// prettier-ignore
const COUNTS: Record<(typeof VERSIONS)[number], number[]> = {
  '2024-10': [73, 237, 53, 64, 29, 36, 17, 38, 383, 977],
  '2025-01': [73, 235, 53, 63, 28, 36, 17, 38, 381, 988],
  '2025-04': [73, 235, 53, 63, 28, 36, 17, 38, 381, 988],
  '2025-07': [72, 230, 52, 62, 28, 35, 17, 36, 374, 971],
  '2025-10': [72, 230, 52, 62, 28, 35, 17, 36, 374, 971],
  '2026-01': [72, 230, 52, 62, 28, 35, 17, 36, 374, 971],
  '2026-04': [72, 230, 52, 62, 28, 35, 17, 36, 374, 970],
  '2026-07': [72, 230, 52, 62, 28, 35, 17, 36, 374, 970],
};

describe('the tables', () => {
  it.each(VERSIONS)('are complete for %s', (version) => {
    const definitions = Object.values(defineResources(version)).map(
      ({ binding }) => binding.definition,
    );
    const methods = definitions.flatMap((definition) => [...definition.methods.values()]);
    const named = (...names: string[]) => methods.filter(({ name }) => names.includes(name)).length;
    const actions = methods.filter(
      ({ name, verb }) => verb !== 'get' && !['create', 'update', 'delete'].includes(name),
    ).length;
    const known = named('find', 'all', 'count', 'delete');
    const others = methods.length - known - named('create', 'update') - actions;
    // Shop.current has the path of Shop.all.
    const paths =
      methods.filter(({ name }) => name !== 'current').flatMap((method) => method.paths).length + 1;
    const attributes = definitions.reduce((sum, definition) => sum + definition.attributes.size, 0);
    const counts = [named('find'), named('all'), named('count'), named('delete'), others, actions];
    expect([definitions.length, known + others + actions, ...counts, paths, attributes]).toEqual(
      COUNTS[version],
    );
  });
});

describe('versions without tables of their own', () => {
  it.each([
    ['2024-01', '2024-10'],
    ['2024-04', '2024-10'],
    ['2024-07', '2024-10'],
    ['2026-10', '2026-07'],
  ])(
    '%s is served by %s, with its own version in the path and one notice',
    async (version, serving) => {
      for (const imported of [version, serving]) {
        const { rest, script, lines } = mounted(defineResources(imported), version);
        expect('all' in rest['Payment']!).toBe(serving === '2024-10');
        for (let call = 0; call < 2; call++)
          await new rest['Product']!({ session: SESSION, fromData: { id: 1 } }).save();
        expect(new Set(script.sent.map(({ url }) => url))).toEqual(
          new Set([`https://${SHOP}/admin/api/${version}/products/1.json`]),
        );
        expect(rest['Product']!.apiVersion).toBe(version);
        expect(
          lines.filter((line) => line.includes(version) && line.includes(serving)),
        ).toHaveLength(1);
      }
    },
  );

  it('is unstable, which any set serves, with the same notice', async () => {
    for (const [imported = '', serving = ''] of [
      ['2024-10', '2024-10'],
      ['2026-07', '2026-07'],
      ['2026-10', '2026-07'],
    ]) {
      const { rest, script, lines } = mounted(defineResources(imported), 'unstable');
      await new rest['Product']!({ session: SESSION, fromData: { id: 1 } }).save();
      expect(script.last.url).toContain('/admin/api/unstable/');
      expect(
        lines.filter((line) => line.includes('unstable') && line.includes(serving)),
      ).toHaveLength(1);
    }
  });

  it.each(VERSIONS)('is not %s: nothing is noticed', (version) => {
    expect(mounted(defineResources(version), version).lines).toEqual([]);
    expect(mounted({}, 'unstable').lines).toEqual([]);
  });
});

describe('the option restResources', () => {
  const problemsOf = (
    options: Partial<PlatformOptions>,
  ): readonly { option: string; message: string }[] => {
    try {
      resolverOf(options).get(PlatformConfig);
      return [];
    } catch (error) {
      return (error as InvalidOptionsError).problems;
    }
  };

  it.each([
    ['2026-07', '2026-04'],
    ['2026-07', '2026-10'],
    ['2026-04', '2026-07'],
    ['2024-10', '2024-07'],
    ['2024-01', '2024-04'],
    ['2026-10', '2026-04'],
  ])('of an app of %s does not take resources of %s, and names both', (apiVersion, imported) => {
    const problems = problemsOf({ apiVersion, restResources: defineResources(imported) });
    expect(problems).toEqual([
      {
        option: 'restResources',
        message: expect.stringMatching(`${imported}, but apiVersion is ${apiVersion}`),
      },
    ]);
  });

  it.each([
    ['2026-07', '2026-07'],
    ['2026-10', '2026-10'],
    ['2026-10', '2026-07'],
    ['2024-01', '2024-01'],
    ['2024-01', '2024-10'],
    ['unstable', '2025-01'],
  ])('of an app of %s takes resources of %s', (apiVersion, imported) => {
    expect(problemsOf({ apiVersion, restResources: defineResources(imported) })).toEqual([]);
  });

  it.each([
    ['a text'],
    [null],
    [{ Product: class {} }],
    [{ Product: {} }],
    [{ restResources: defineResources('2026-07') }],
  ])('does not take %p', (wrong) => {
    expect(problemsOf({ restResources: wrong as never })).toEqual([
      {
        option: 'restResources',
        message: 'must be the restResources that shopwright/rest/admin/<version> exports',
      },
    ]);
  });

  it('names every version of a mixed set that does not fit', () => {
    const Product = defineResources('2026-04')['Product']!;
    const problems = problemsOf({ restResources: { ...defineResources('2026-07'), Product } });
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining('2026-04')]);
  });
});
