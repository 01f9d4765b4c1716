import ts from 'typescript';

import { parse, walk } from '../architecture/source-tree.js';

/** What a file reads of the environment. */
export interface EnvironmentUse {
  /** Variables that are read by name. */
  readonly names: readonly string[];
  /** Reads whose name is computed. */
  readonly computed: readonly string[];
}

/** What the sources call an environment. */
const ENVIRONMENT = /(?:^|\.)(?:env|environment)$/;
const NAME = /^[A-Z][A-Z0-9_]*$/;

/**
 * Finds every read of an environment, `process.env` or one that is passed on as `env` or
 * `environment`: `env.NAME`, `env['NAME']`, `env[name]`, and patterns such as `{ NAME }` of
 * parameters and variables of the type `Environment`.
 */
export function environmentUse(path: string, text: string): EnvironmentUse {
  const names: string[] = [];
  const computed: string[] = [];
  const isEnvironment = (node: ts.Node | undefined): boolean =>
    node !== undefined && ENVIRONMENT.test(node.getText());
  walk(parse(path, text), (node) => {
    if (ts.isPropertyAccessExpression(node) && isEnvironment(node.expression)) {
      if (NAME.test(node.name.text)) names.push(node.name.text);
    } else if (ts.isElementAccessExpression(node) && isEnvironment(node.expression)) {
      const { argumentExpression: name } = node;
      if (ts.isStringLiteralLike(name)) names.push(name.text);
      else computed.push(node.getText());
    } else if (
      (ts.isParameter(node) || ts.isVariableDeclaration(node)) &&
      ts.isObjectBindingPattern(node.name) &&
      (node.type?.getText() === 'Environment' || isEnvironment(node.initializer))
    )
      names.push(...node.name.elements.map((one) => (one.propertyName ?? one.name).getText()));
  });
  return { names, computed };
}
