import { describe, expect, it } from '@jest/globals';

import {
  ApiVersion,
  LATEST_API_VERSION,
  isApiVersion,
  isKnownApiVersion,
  isVersionCompatible,
} from '../../lib/core/api-version.js';

describe('ApiVersion', () => {
  it('names every quarter from 2024 to October 2026, and unstable', () => {
    const quarters = ['01', '04', '07', '10'];
    const dated = ['2024', '2025', '2026'].flatMap((year) =>
      quarters.map((month) => `${year}-${month}`),
    );
    expect(Object.values(ApiVersion)).toEqual([...dated, 'unstable']);
    expect([ApiVersion.January24, ApiVersion.July26, ApiVersion.October26]).toEqual([
      '2024-01',
      '2026-07',
      '2026-10',
    ]);
  });

  it('has its newest quarter under the name that older apps import', () => {
    expect(LATEST_API_VERSION).toBe(Object.values(ApiVersion).at(-2));
  });

  it.each(['2024-01', '2031-10', '2023-12', 'unstable'])('lets %s pass', (version) => {
    expect(isApiVersion(version)).toBe(true);
  });

  it.each([
    '',
    '2024-13',
    '2024-00',
    '24-01',
    '2024-1',
    'latest',
    '2024-01/../x',
    undefined,
    202401,
  ])('does not let %p pass', (version) => {
    expect(isApiVersion(version)).toBe(false);
  });

  it('tells what this release knows from what it does not', () => {
    expect(isKnownApiVersion('2026-01')).toBe(true);
    expect(isKnownApiVersion('2031-10')).toBe(false);
  });

  it.each([
    ['2025-01', '2025-01', true],
    ['2025-01', '2025-04', true],
    ['2025-01', '2024-10', false],
    ['2025-01', 'unstable', true],
    ['unstable', '2026-10', false],
    ['unstable', 'unstable', true],
  ])('with %s as reference finds %s compatible: %s', (reference, current, compatible) => {
    expect(isVersionCompatible(reference, current)).toBe(compatible);
  });
});
