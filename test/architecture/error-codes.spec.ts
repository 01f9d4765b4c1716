import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { libFiles, parse, readSource, walk } from './source-tree.js';

const DECLARED_IN = 'lib/core/core.errors.ts';

/** The members of the union `ErrorCode`. */
function declaredCodes(): string[] {
  const codes: string[] = [];
  walk(parse(DECLARED_IN, readSource(DECLARED_IN)), (node) => {
    if (!ts.isTypeAliasDeclaration(node) || node.name.text !== 'ErrorCode') return;
    walk(node.type, (member) => {
      if (ts.isStringLiteral(member)) codes.push(member.text);
    });
  });
  return codes;
}

/** The values that classes of a file give to their member `code`. */
function codesOf(path: string, text: string): string[] {
  const codes: string[] = [];
  walk(parse(path, text), (node) => {
    if (!ts.isPropertyDeclaration(node) || node.name.getText() !== 'code') return;
    if (node.initializer && ts.isStringLiteral(node.initializer)) codes.push(node.initializer.text);
  });
  return codes;
}

describe('ErrorCode', () => {
  it('names the code of every error class of lib, each once, and no other', () => {
    const thrown = libFiles().flatMap((path) => codesOf(path, readSource(path)));
    expect(declaredCodes()).toEqual([...new Set(thrown)].sort());
  });

  it('gives each error class a code of its own', () => {
    const thrown = libFiles().flatMap((path) => codesOf(path, readSource(path)));
    expect(thrown.filter((code, index) => thrown.indexOf(code) !== index)).toEqual([]);
  });
});

describe('codesOf', () => {
  it('sees codes that subclasses override, and no other members', () => {
    const text = `
      class A extends Base { readonly code: ErrorCode = 'ERR_A'; readonly name = 'ERR_NAME'; }
      class B extends A { override readonly code = 'ERR_B'; }
      abstract class C { abstract readonly code: string; }
    `;
    expect(codesOf('lib/sample.ts', text)).toEqual(['ERR_A', 'ERR_B']);
  });
});
