import { describe, expect, it } from '@jest/globals';
import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { JOINED } from '../../scripts/dependencies.mjs';
import { libFiles, parse, readSource, walk } from './source-tree.js';

const manifest = JSON.parse(readSource('package.json')) as {
  name: string;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  scripts: Record<string, string>;
};

/** The packages that a file names in its code, also those of which it takes types only. */
function packagesOf(path: string, text: string): string[] {
  const packages: string[] = [];
  walk(parse(path, text), (node) => {
    const name =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : importedOf(node);
    if (name && ts.isStringLiteral(name) && !name.text.startsWith('.') && !isBuiltin(name.text)) {
      packages.push(/^(?:@[^/]+\/)?[^/]+/.exec(name.text)![0]);
    }
  });
  return packages;
}

/** What `import('x')` imports, as a value or as a type. */
function importedOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? node.arguments[0]
    : undefined;
}

describe('package.json', () => {
  it('names every package that lib names and the build does not join, as a dependency or a peer', () => {
    const declared = new Set([
      manifest.name,
      ...Object.keys(manifest.dependencies),
      ...Object.keys(manifest.peerDependencies),
      ...JOINED,
    ]);
    const undeclared = libFiles().flatMap((path) =>
      packagesOf(path, readSource(path)).flatMap((name) =>
        declared.has(name) ? [] : [`${path}: ${name}`],
      ),
    );
    expect(undeclared).toEqual([]);
  });

  // `prepare` would build after each `npm ci`, and in an app that installs from git; the others run
  // in every app.
  it('runs nothing of its own when it is installed', () => {
    const atInstall = [
      'preinstall',
      'install',
      'postinstall',
      'prepublish',
      'preprepare',
      'prepare',
      'postprepare',
      'dependencies',
    ];
    expect(atInstall.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  it('brings no types of other packages into an app', () => {
    expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith('@types/'))).toEqual(
      [],
    );
  });
});

describe('packagesOf', () => {
  it('sees every way to name a package, and neither files nor modules of Node', () => {
    const text = `
      import a from '@scope/value/deep';
      import type { B } from 'types-only';
      export { c } from 'passed-on';
      import 'node:fs';
      import './file.js';
      type D = import('type-of').D;
      const e = () => import('on-demand');
    `;
    expect(packagesOf('lib/sample.ts', text)).toEqual([
      '@scope/value',
      'types-only',
      'passed-on',
      'type-of',
      'on-demand',
    ]);
  });
});
