// The files that were packed, as modules that import each other.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/**
 * What an entry point may load, in files: each costs about half a millisecond, whatever is in it.
 * The entry points of API versions are told by their folder.
 */
const MOST_FILES = {
  '.': 11,
  './rest-client': 2,
  './graphql-client': 4,
  './dev-store': 2,
  './testing': 10,
};
const MOST_FILES_OF_VERSIONS = 3;
const MOST_FILES_OF_OTHERS = 8;
/** Entry points that browsers may load, too. */
const FOR_BROWSERS = ['./rest-client', './graphql-client', './remix/react', './react-router/react'];
/** Marks the file of an entry point that browsers get in place of the server's. */
const IN_BROWSERS = ' in browsers';
/** Entry points for Nest apps. */
const FOR_NEST = ['.', './testing'];
const NEST = /^(?:@nestjs\/|rxjs(?:\/|$)|reflect-metadata(?:\/|$))/;
/** In bytes: a tenth of what the platform's own package for Express brings. */
const MOST_BYTES = 3_100_000;

/** What is wrong with the files of a tarball. @param root the folder they were packed from */
export class Structure {
  #root;
  #tarball;
  /** Paths of entry points, by subpath. */
  #entryPoints;
  /** What stands for several files, by runtime: the paths of each. */
  #byRuntime;
  #imports = new Map();

  constructor(root, { exports, imports, bin }, tarball) {
    this.#root = root;
    this.#tarball = tarball;
    this.#byRuntime = new Map(
      Object.entries(imports).map(([name, targets]) => [
        name,
        [...new Set(Object.values(targets))].map((target) => target.replace('./', '')),
      ]),
    );
    const named = { ...exports, ...bin };
    this.#entryPoints = Object.entries(named).flatMap(([subpath, target]) => [
      ...this.#expanded(subpath, target.default ?? target),
      ...(target.browser ? this.#expanded(subpath + IN_BROWSERS, target.browser) : []),
    ]);
  }

  /** Entry points that load more files than they may before they run. */
  tooManyFiles() {
    return this.#entryPoints.flatMap(([subpath, path]) => {
      const files = this.#loadedBy(path);
      const most =
        MOST_FILES[subpath] ??
        (subpath.startsWith('./rest/admin/') ? MOST_FILES_OF_VERSIONS : MOST_FILES_OF_OTHERS);
      return files.length > most ? [`${subpath} loads ${files.join(', ')}`] : [];
    });
  }

  /** Modules of Node that are loaded with an entry point for browsers. */
  nodeInBrowsers() {
    const forBrowsers = (subpath) =>
      FOR_BROWSERS.includes(subpath) || subpath.endsWith(IN_BROWSERS);
    return this.#packagesOf(forBrowsers, /^node:/);
  }

  /** Packages of Nest that are loaded with another entry point than its own. */
  nestWithoutNest() {
    return this.#packagesOf((subpath) => !FOR_NEST.includes(subpath), NEST);
  }

  /** Programs that no entry point reaches, not even on demand. */
  unreachable() {
    const reached = new Set(
      this.#entryPoints.flatMap(([, path]) => this.#loadedBy(path, { onDemand: true })),
    );
    return this.#programs().filter((path) => !reached.has(path));
  }

  /** Classes that were renamed: errors and logs show their names. */
  renamedClasses() {
    return this.#programs().flatMap((path) =>
      [...this.#text(path).matchAll(/\bclass (\w+\$\d+)\b/g)].map(([, name]) => `${path}: ${name}`),
    );
  }

  tooLarge() {
    const { size } = this.#tarball;
    return size > MOST_BYTES ? [`${size} bytes`] : [];
  }

  #programs() {
    return this.#tarball.files.filter((path) => path.endsWith('.js'));
  }

  #expanded(subpath, target) {
    const [before, after] = target.replace('./', '').split('*');
    if (after === undefined) return before.endsWith('.js') ? [[subpath, before]] : [];
    return this.#programs()
      .filter((path) => path.startsWith(before) && path.endsWith(after))
      .map((path) => [subpath.replace('*', path.slice(before.length, -after.length)), path]);
  }

  #packagesOf(isMeant, forbidden) {
    return this.#entryPoints
      .filter(([subpath]) => isMeant(subpath))
      .flatMap(([subpath, path]) =>
        this.#loadedBy(path)
          .flatMap((file) => this.#importsOf(file).packages)
          .filter((name) => forbidden.test(name))
          .map((name) => `${subpath}: ${name}`),
      );
  }

  /** The files that are loaded with a file, itself included. */
  #loadedBy(path, { onDemand = false } = {}) {
    const loaded = new Set([path]);
    for (const file of loaded) {
      const { files, later } = this.#importsOf(file);
      for (const next of onDemand ? [...files, ...later] : files) loaded.add(next);
    }
    return [...loaded];
  }

  #importsOf(path) {
    let imports = this.#imports.get(path);
    if (!imports)
      this.#imports.set(path, (imports = importsIn(path, this.#text(path), this.#byRuntime)));
    return imports;
  }

  #text(path) {
    return readFileSync(join(this.#root, path), 'utf8');
  }
}

/** What a program imports: files at once, files on demand (`later`), and packages at once. */
function importsIn(path, text, byRuntime) {
  const [atOnce, later] = [[], []];
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      atOnce.push(node.moduleSpecifier?.text ?? []);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      later.push(node.arguments[0].text ?? []);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022));
  const isFile = (name) => name.startsWith('.') || byRuntime.has(name);
  const resolved = (name) => byRuntime.get(name) ?? posix.join(posix.dirname(path), name);
  return {
    files: atOnce.flat().filter(isFile).flatMap(resolved),
    later: later.flat().filter(isFile).flatMap(resolved),
    packages: atOnce.flat().filter((name) => !isFile(name)),
  };
}
