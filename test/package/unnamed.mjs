// Types without a name that an app could write: what has one cannot be exported by an app that has
// its declarations written, as templates of Nest do, unless the app annotates it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Called by the toolkit's own hosts, with requests that an app cannot make. */
const OF_HOSTS = ['AuthService', 'WebhookReceiver', 'WebhookRegistrar', 'WebhookRegistry'];
/** Long enough for every call. */
const ARGUMENTS = '...(null! as [any, any, any])';

/**
 * What apps cannot have in their declarations of the properties and the results of all that is
 * exported, members that are tagged `@internal` left out.
 * @param folder an app that has the package installed
 * @param modules what it imports
 * @returns one line each: the module, the expression and what the compiler says
 */
export function unnamed(folder, modules) {
  const options = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    declaration: true,
  };
  const compiled = (texts) => {
    const files = texts.map((text, index) => {
      const file = join(folder, `unnamed-${index}.ts`);
      writeFileSync(file, text);
      return file;
    });
    const host = ts.createCompilerHost(options);
    host.getCurrentDirectory = () => folder;
    return { program: ts.createProgram(files, options, host), files };
  };

  const imports = modules.map((module) => `import * as toolkit from '${module}';\n`);
  const { program, files } = compiled(imports);
  const members = new Members(program.getTypeChecker());
  const uses = files.map((file) => members.usesOf(program.getSourceFile(file)));
  if (!uses.every(({ length }) => length > 0)) throw new Error('A module has no members.');
  const checked = compiled(
    uses.map((lines, index) => imports[index] + lines.map(declared).join('\n')),
  );
  return checked.files.flatMap((file, index) => {
    const source = checked.program.getSourceFile(file);
    const found = checked.program
      .getDeclarationDiagnostics(source)
      .map(({ start, messageText }) => {
        const { line } = source.getLineAndCharacterOfPosition(start);
        const message = ts.flattenDiagnosticMessageText(messageText, ' ');
        return `${modules[index]}: ${uses[index][line - 1]}: ${message}`;
      });
    return [...new Set(found)];
  });
}

const declared = (use, index) => `export const use${index} = ${use};`;

/** What an app can read and call of modules, as functions in the text of a program. */
class Members {
  #checker;
  /** One module may pass on what another has. */
  #seen = new Set();

  constructor(checker) {
    this.#checker = checker;
  }

  usesOf(source) {
    const checker = this.#checker;
    const module = checker.getSymbolAtLocation(source.statements[0].moduleSpecifier);
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const { Alias, Class, Interface, TypeAlias, Value, Enum } = ts.SymbolFlags;
      const symbol = exported.flags & Alias ? checker.getAliasedSymbol(exported) : exported;
      const { name } = exported;
      if (this.#seen.has(symbol) || OF_HOSTS.includes(name)) return [];
      this.#seen.add(symbol);
      const uses = [];
      if (symbol.flags & (Class | Interface | TypeAlias)) {
        const parameters = symbol.declarations.map((node) => node.typeParameters?.length ?? 0);
        const any = Array(Math.max(...parameters)).fill('any');
        const type = `toolkit.${name}${any.length > 0 ? `<${any}>` : ''}`;
        const members = this.#membersOf(checker.getDeclaredTypeOfSymbol(symbol));
        uses.push(...members.flatMap((member) => this.#usesOf(member, `(it: ${type}) => it`)));
      }
      if (symbol.flags & Value && !(symbol.flags & Enum)) {
        const type = checker.getTypeOfSymbol(symbol);
        const value = `() => toolkit.${name}`;
        if (type.getCallSignatures().length > 0) uses.push(`${value}(${ARGUMENTS})`);
        uses.push(...this.#membersOf(type).flatMap((member) => this.#usesOf(member, value)));
      }
      return uses;
    });
  }

  /** Those of the package itself that are for its users. */
  #membersOf(type) {
    const { Private, Protected } = ts.ModifierFlags;
    return this.#checker.getPropertiesOfType(type).filter(({ name, declarations: [node] = [] }) => {
      if (!node || name === 'prototype' || name.startsWith('__')) return false;
      if (!node.getSourceFile().fileName.includes('/shopwright/')) return false;
      if (ts.getCombinedModifierFlags(node) & (Private | Protected)) return false;
      return !ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
    });
  }

  #usesOf(member, object) {
    const use = `${object}${/^\w+$/.test(member.name) ? `.${member.name}` : `[${JSON.stringify(member.name)}]`}`;
    const type = this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(member));
    return type.getCallSignatures().length > 0 ? [`${use}!(${ARGUMENTS})`] : [use];
  }
}
