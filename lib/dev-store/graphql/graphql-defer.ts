import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLError,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import type * as GraphQL from 'graphql';

/** The result of an execution. */
interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[] | undefined;
}

/** The result of one deferred fragment, at its path. */
export interface DeferredPart extends Answer {
  readonly path: Path;
  readonly label?: string;
}

/** An operation with coerced variables. */
interface DeferredOperation {
  readonly document: DocumentNode;
  readonly selections: SelectionSetNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Path = ReadonlyArray<string | number>;
type Fragment = Exclude<SelectionNode, FieldNode>;

/**
 * A deferred fragment on the way to a part, and the result when it and those before it are not
 * deferred.
 */
interface Stage {
  readonly kept: readonly Fragment[];
  readonly answer: Promise<Answer>;
  readonly next: Map<Fragment, Stage>;
}

/**
 * The initial result of an operation and the results of its deferred fragments; undefined when
 * nothing in it is deferred. The package does not execute `@defer`: each part is taken from the
 * result of a document in which its fragment is not deferred.
 */
export async function answerInParts(
  graphql: typeof GraphQL,
  operation: DeferredOperation,
  execute: (document: DocumentNode) => Promise<Answer>,
): Promise<{ first: Answer; parts: DeferredPart[] } | undefined> {
  if (!defersAnything(graphql, operation)) return undefined;
  const stageOf = (kept: readonly Fragment[]): Stage => ({
    kept,
    answer: execute(withoutDeferred(graphql, operation, kept)),
    next: new Map(),
  });
  const start = stageOf([]);
  const { errors, ...first } = await start.answer;
  const waiting: Waiting[] = [];
  const data = taker(operation, start, waiting)(operation.selections, first.data, []);
  const parts: DeferredPart[] = [];
  // Grows during the loop: a deferred fragment may defer others.
  for (const { fragment, selections, path, stage } of waiting) {
    const next = stage.next.get(fragment) ?? stageOf([...stage.kept, fragment]);
    stage.next.set(fragment, next);
    const known = (await stage.answer).errors;
    const answer = await next.answer;
    const part = taker(operation, next, waiting)(selections, valueAt(answer.data, path), path);
    // A fragment on another type selects nothing here.
    if (part !== null && Object.keys(part as object).length === 0) continue;
    const own = answer.errors?.filter(
      (error) =>
        startsWith(error.path, path) &&
        !known?.some((one) => String(one.path) === String(error.path)),
    );
    const label = labelOf(fragment);
    parts.push({
      path,
      ...(label === undefined ? {} : { label }),
      data: part,
      ...(own?.length ? { errors: own } : {}),
    });
  }
  return { first: { ...first, data, ...(errors ? { errors } : {}) }, parts };
}

/** A deferred fragment at a path of the result. */
interface Waiting {
  readonly fragment: Fragment;
  readonly selections: SelectionSetNode;
  readonly path: Path;
  readonly stage: Stage;
}

/** Copies the part of a result that is not deferred; the deferred fragments are sent afterwards. */
function taker({ document, variables }: DeferredOperation, stage: Stage, waiting: Waiting[]) {
  const fragments = new Map(
    document.definitions
      .filter(
        (definition): definition is FragmentDefinitionNode =>
          definition.kind === 'FragmentDefinition',
      )
      .map((fragment) => [fragment.name.value, fragment.selectionSet]),
  );
  const take = (set: SelectionSetNode, value: unknown, path: Path): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => take(set, item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    let taken: Record<string, unknown> = {};
    for (const selection of set.selections) {
      if (selection.kind === 'Field') {
        const name = (selection.alias ?? selection.name).value;
        if (!(name in value)) continue;
        const inner = (value as Record<string, unknown>)[name];
        taken = merged(taken, {
          [name]: selection.selectionSet
            ? take(selection.selectionSet, inner, [...path, name])
            : inner,
        });
        continue;
      }
      const selections =
        selection.kind === 'InlineFragment'
          ? selection.selectionSet
          : fragments.get(selection.name.value);
      if (!selections) continue;
      if (isDeferred(selection, variables))
        waiting.push({ fragment: selection, selections, path, stage });
      else taken = merged(taken, take(selections, value, path) as Record<string, unknown>);
    }
    return taken;
  };
  return take;
}

function defersAnything(
  { visit, BREAK }: typeof GraphQL,
  { document, variables }: DeferredOperation,
): boolean {
  let found = false;
  const look = (node: Fragment): typeof BREAK | undefined => {
    found ||= isDeferred(node, variables);
    return found ? BREAK : undefined;
  };
  visit(document, { InlineFragment: look, FragmentSpread: look });
  return found;
}

/** The document without its deferred fragments, except those that are kept. */
function withoutDeferred(
  { visit }: typeof GraphQL,
  { document, variables }: DeferredOperation,
  kept: readonly Fragment[],
): DocumentNode {
  const drop = (node: Fragment): null | undefined =>
    isDeferred(node, variables) && !kept.includes(node) ? null : undefined;
  return visit(document, {
    InlineFragment: drop,
    FragmentSpread: drop,
    SelectionSet: { leave: neverEmpty },
  });
}

/** A selection in which everything is deferred still results in an object. */
function neverEmpty(node: SelectionSetNode): SelectionSetNode | undefined {
  if (node.selections.length > 0) return undefined;
  const placeholder = {
    kind: 'Field',
    name: { kind: 'Name', value: '__typename' },
    alias: { kind: 'Name', value: '__deferred' },
  };
  return { ...node, selections: [placeholder as FieldNode] };
}

function isDeferred(node: Fragment, variables: Readonly<Record<string, unknown>>): boolean {
  const directive = node.directives?.find(({ name }) => name.value === 'defer');
  if (!directive) return false;
  const condition = directive.arguments?.find(({ name }) => name.value === 'if')?.value;
  if (condition?.kind === 'BooleanValue') return condition.value;
  return condition?.kind === 'Variable' ? variables[condition.name.value] !== false : true;
}

function labelOf({ directives = [] }: Fragment): string | undefined {
  const defer = directives.find(({ name }) => name.value === 'defer');
  const value = defer?.arguments?.find(({ name }) => name.value === 'label')?.value;
  return value?.kind === 'StringValue' ? value.value : undefined;
}

function valueAt(data: unknown, path: Path): unknown {
  return (
    path.reduce<unknown>(
      (value, key) => (value as Record<string | number, unknown> | null | undefined)?.[key] ?? null,
      data,
    ) ?? null
  );
}

/** Merges two results for the same object, each with a part of the selection. */
function merged(a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> {
  const result = { ...a };
  for (const [name, value] of Object.entries(b)) result[name] = mergedValue(result[name], value);
  return result;
}

function mergedValue(a: unknown, b: unknown): unknown {
  if (Array.isArray(a) && Array.isArray(b))
    return a.map((item, index) => mergedValue(item, b[index]));
  const both = typeof a === 'object' && a !== null && typeof b === 'object' && b !== null;
  return both ? merged(a as Record<string, unknown>, b as Record<string, unknown>) : b;
}

function startsWith(path: Path | undefined, start: Path): boolean {
  return path !== undefined && start.every((key, index) => path[index] === key);
}
