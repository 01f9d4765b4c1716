import type { ASTNode, DocumentNode } from 'graphql';
import type * as GraphQL from 'graphql';

/** Where the nodes of a document are, as the platform writes it in the `path` of its errors. */
export class DocumentPlaces {
  private readonly parents = new Map<ASTNode, ASTNode>();

  constructor({ visit }: typeof GraphQL, document: DocumentNode) {
    const above: ASTNode[] = [];
    visit(document, {
      enter: (node) => {
        const parent = above.at(-1);
        if (parent) this.parents.set(node, parent);
        above.push(node);
      },
      leave: () => void above.pop(),
    });
  }

  /** The node that contains another; undefined for the document. */
  parentOf(node: ASTNode): ASTNode | undefined {
    return this.parents.get(node);
  }

  /** The closest node around another, or itself, that is of a kind. */
  closest<N extends ASTNode>(
    isWanted: (node: ASTNode) => node is N,
    node: ASTNode | undefined,
  ): N | undefined {
    let at = node;
    while (at && !isWanted(at)) at = this.parents.get(at);
    return at as N | undefined;
  }

  /** The path of a node: `query Name`, response keys, names of arguments, `... on Type`. */
  pathOf(node: ASTNode | undefined): Array<string | number> {
    const path: Array<string | number> = [];
    for (let at = node; at; at = this.parents.get(at)) {
      const step = stepOf(at);
      if (step !== undefined) path.push(step);
      const parent = this.parents.get(at);
      if (parent?.kind === 'ListValue') path.push(parent.values.indexOf(at as never));
    }
    return path.reverse();
  }
}

function stepOf(node: ASTNode): string | undefined {
  switch (node.kind) {
    case 'OperationDefinition':
      return operationLabel(node);
    case 'FragmentDefinition':
      return `fragment ${node.name.value}`;
    case 'Field':
      return (node.alias ?? node.name).value;
    case 'InlineFragment':
      return node.typeCondition ? `... on ${node.typeCondition.name.value}` : '...';
    case 'FragmentSpread':
      return `... ${node.name.value}`;
    case 'Argument':
    case 'ObjectField':
      return node.name.value;
    default:
      return undefined;
  }
}

/** `query Name`, or `query` alone. */
function operationLabel({ operation, name }: GraphQL.OperationDefinitionNode): string {
  return name ? `${operation} ${name.value}` : operation;
}
