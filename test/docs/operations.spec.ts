import { describe, expect, it } from '@jest/globals';

import { errorClasses } from '../../scripts/error-codes.mjs';
import { ENVIRONMENT } from '../../lib/core/vendor.js';
import { libFiles, readSource } from '../architecture/source-tree.js';
import { readDocument } from './documents.js';
import { environmentUse } from './environment-variables.js';

const { prose } = readDocument('docs/operations.md');

/** The first cells of the rows of a section's table, each as the names in it. */
function rowsOf(heading: string): string[][] {
  const start = prose.indexOf(`## ${heading}`) + 1;
  const end = prose.findIndex((line, index) => index >= start && line.startsWith('## '));
  return prose
    .slice(start, end < 0 ? undefined : end)
    .map((line) => /^\| ([^|]*`[^|]*) \|/.exec(line)?.[1])
    .filter((cell) => cell !== undefined)
    .map((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name));
}

describe('the table of environment variables', () => {
  const rows = rowsOf('Environment variables');
  const uses = libFiles().map((path) => ({ path, ...environmentUse(path, readSource(path)) }));

  it('has a row for each setting, with its names in the order in which they are read', () => {
    for (const names of Object.values(ENVIRONMENT)) expect(rows).toContainEqual([...names]);
  });

  it('has every variable that the code reads, once, and no other', () => {
    const read = new Set([
      ...Object.values(ENVIRONMENT).flat(),
      ...uses.flatMap(({ names }) => names),
    ]);
    expect(rows.flat().sort()).toEqual([...read].sort());
  });

  // Those of the table in vendor.ts, and those whose name is an argument of a command.
  it('need not know of others: names are computed in few places', () => {
    expect(uses.flatMap(({ path, computed }) => computed.map((read) => `${path} ${read}`))).toEqual(
      [
        'lib/cli/storage-loader.ts env[variable]',
        'lib/core/config/config.options.ts environment[variable]',
        'lib/core/config/config.schema.ts environment[variable]',
        'lib/core/config/dev-store-origin.ts environment[VARIABLE]',
      ],
    );
  });
});

describe('the search for variables', () => {
  it.each([
    ["process.env['A'] ?? process.env.B_1", ['A', 'B_1'], []],
    ["const { C, D: d } = process.env; given.environment['E']", ['C', 'D', 'E'], []],
    ['function f({ F }: Environment, { G }: Other) {}', ['F'], []],
    ['env[name]; environment.get(env); envelope["H"]', [], ['env[name]']],
  ])('reads %s', (text, names, computed) => {
    expect(environmentUse('sample.ts', text)).toEqual({ names, computed });
  });
});

describe('the table of errors', () => {
  it('names at least ten codes, all of which there are', () => {
    const codes = rowsOf('Troubleshooting').flat();
    const known = errorClasses().map(({ code }) => code);
    expect(codes.length).toBeGreaterThanOrEqual(10);
    expect(codes.filter((code) => !known.includes(code))).toEqual([]);
  });
});
