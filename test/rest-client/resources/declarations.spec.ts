import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import ts from 'typescript';

import { ROOT, parse, readSource, walk } from '../../architecture/source-tree.js';
import { EXPECTED_ATTRIBUTES } from './expected-attributes.js';
import { EXPECTED_CALLS } from './expected-calls.js';
import { VERSIONS, isIn } from './resources.fixture.js';

const FOLDER = 'lib/rest-client/resources/generated';

/** The classes that a version's entry point takes its types from. */
function classesOf(version: string): ts.ClassDeclaration[] {
  const [, shape = ''] =
    /from '\.\.\/shapes\/([\d-]+)\.js'/.exec(readSource(`${FOLDER}/versions/${version}.ts`)) ?? [];
  return classesIn(shape);
}

/** Those of a shape: its own, and those that it takes from others. */
function classesIn(shape: string): ts.ClassDeclaration[] {
  const { statements } = parse(shape, readSource(`${FOLDER}/shapes/${shape}.ts`));
  const taken = statements.filter(ts.isExportDeclaration).flatMap((statement) => {
    const from = (statement.moduleSpecifier as ts.StringLiteral).text.replace(/^\.\/|\.js$/g, '');
    const names = new Set((statement.exportClause as ts.NamedExports).elements.map(nameOf));
    return classesIn(from).filter((declaration) => names.has(nameOf(declaration)));
  });
  return [...taken, ...statements.filter(ts.isClassDeclaration)];
}

const nameOf = (node: { readonly name?: ts.Node | undefined }): string =>
  node.name?.getText() ?? '';
const isStatic = (member: ts.ClassElement): boolean =>
  ts.canHaveModifiers(member) &&
  (ts.getModifiers(member) ?? []).some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);

/** `name:type` of each attribute, `name` for texts; the `null` that all have is left out. */
function attributesOf(declaration: ts.ClassDeclaration): string[] {
  return declaration.members.flatMap((member) => {
    if (
      isStatic(member) ||
      !(ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member))
    )
      return [];
    const types = member.type!.getText().replaceAll('Attributes', 'object').split(' | ');
    expect(types.pop()).toBe('null');
    return [types.join() === 'string' ? nameOf(member) : `${nameOf(member)}:${types.join('|')}`];
  });
}

/**
 * `name(argument, …)` of each method, without what all have: the session, and the body of actions.
 */
function methodsOf(declaration: ts.ClassDeclaration): Map<string, Set<string>> {
  const methods = new Map<string, Set<string>>();
  for (const member of declaration.members) {
    const type = ts.isMethodDeclaration(member)
      ? member.parameters[0]?.type
      : ts.isPropertyDeclaration(member) && isStatic(member)
        ? member.type
        : undefined;
    if (!type) continue;
    const args = ts.isTypeReferenceNode(type) ? type.typeArguments![0]! : type;
    if (!ts.isTypeLiteralNode(args))
      throw new Error(`${nameOf(member)} takes something else: ${args.getText()}`);
    const names = args.members.filter(ts.isPropertySignature).map(nameOf);
    methods.set(
      `${isStatic(member) ? '.' : '#'}${nameOf(member)}`,
      new Set(names.filter((name) => name !== 'session' && name !== 'body')),
    );
  }
  return methods;
}

describe.each(VERSIONS)('the types of %s', (version) => {
  const classes = new Map(
    classesOf(version).map((declaration) => [nameOf(declaration), declaration]),
  );

  it('declare every attribute, as what it is', () => {
    const expected = new Map<string, string[]>();
    for (const [versions, resource, attributes] of EXPECTED_ATTRIBUTES) {
      if (isIn(versions, version))
        expected.set(resource, [...(expected.get(resource) ?? []), ...attributes.split(' ')]);
    }
    for (const [name, declaration] of classes)
      expect([name, attributesOf(declaration).sort()]).toEqual([
        name,
        (expected.get(name) ?? []).sort(),
      ]);
    expect([...classes.keys()]).toEqual(expect.arrayContaining([...expected.keys()]));
  });

  it('declare every method with its arguments', () => {
    const expected = new Map<string, Set<string>>();
    for (const [versions, call] of EXPECTED_CALLS) {
      const [, name = '', isAction, args = ''] = /^(\w+(?:\.|(#))\w+)\((.*)\)$/.exec(call) ?? [];
      if (!isIn(versions, version) || name.endsWith('#save')) continue;
      const path = /\{(\w+)\}/g;
      const [, , request] = EXPECTED_CALLS.find(([, other]) => other === call)!;
      const ids = Array.from(request.matchAll(path), ([, id]) => id);
      // The ids of an action are those of the instance.
      const own = (args ? args.split(', ') : []).filter(
        (argument) => !isAction || !ids.includes(argument),
      );
      expected.set(name, new Set([...(expected.get(name) ?? []), ...own]));
      if (name.endsWith('.all')) expected.set(name.replace(/all$/, 'each'), expected.get(name)!);
    }
    const declared = [...classes].flatMap(([name, declaration]) =>
      [...methodsOf(declaration)].map(([method, args]) => [name + method, args] as const),
    );
    expect(new Map(declared)).toEqual(expected);
  });

  it('name no class that the version lacks', () => {
    const helpers = [
      'ApiSession',
      'AsyncGenerator',
      'Attributes',
      'Promise',
      'QueryValue',
      'RawMethod',
      'ResourceId',
      'ResourcePage',
    ];
    const named = new Set<string>();
    for (const declaration of classes.values()) {
      walk(
        declaration,
        (node) => void (ts.isTypeReferenceNode(node) && named.add(node.typeName.getText())),
      );
    }
    expect([...named].filter((name) => !classes.has(name)).sort()).toEqual(helpers);
  });
});

describe('the generated files', () => {
  const files = readdirSync(`${ROOT}/${FOLDER}`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'));

  it('are one for each version and one for each shape that versions have', () => {
    const served = ['2024-01', '2024-04', '2024-07', ...VERSIONS, '2026-10'].map(
      (version) => `versions/${version}.ts`,
    );
    const shapes = ['2024-01', '2025-01', '2025-07', '2026-04'].map(
      (version) => `shapes/${version}.ts`,
    );
    expect(files.sort()).toEqual([...served, ...shapes].sort());
  });

  it('say nowhere that anything goes', () => {
    for (const file of files) expect(readSource(`${FOLDER}/${file}`)).not.toMatch(/\bany\b/);
  });
});
