import ts from 'typescript';
import { lineOf, parse, walk } from './source-tree.js';

/** A regular expression as it stands in the source. */
export interface SourceExpression {
  readonly where: string;
  readonly expression: RegExp;
}

/**
 * Every regular expression of a file, those included that `new RegExp` makes of what `given` names.
 */
export function expressionsIn(
  path: string,
  text: string,
  given: Readonly<Record<string, unknown>> = {},
): SourceExpression[] {
  const found: SourceExpression[] = [];
  walk(parse(path, text), (node) => {
    if (ts.isRegularExpressionLiteral(node) || isConstruction(node)) {
      found.push({
        where: `${path}:${lineOf(node)} ${node.getText()}`,
        expression: evaluate(node.getText(), given),
      });
    }
  });
  return found;
}

function isConstruction(node: ts.Node): boolean {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    node.expression.getText() === 'RegExp'
  );
}

/** @throws {ReferenceError} for a name that `given` lacks */
function evaluate(code: string, given: Readonly<Record<string, unknown>>): RegExp {
  // oxlint-disable-next-line no-new-func -- the code is our own source
  return new Function(...Object.keys(given), `return ${code};`)(...Object.values(given)) as RegExp;
}
