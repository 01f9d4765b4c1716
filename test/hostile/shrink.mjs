import { judge } from './oracle.mjs';

/**
 * The recipe with as few mutations as still lead to a finding of the same kind, and what it then
 * sends.
 */
export async function shrunk(attempts, { kind, recipe, what }) {
  let least = { recipe, what };
  for (let at = recipe.mutations.length - 1; at >= 0; at--) {
    const fewer = { ...least.recipe, mutations: least.recipe.mutations.toSpliced(at, 1) };
    const attempt = await attempts.once(fewer);
    const found = judge(attempt).find((other) => other.kind === kind);
    if (found) least = { recipe: fewer, what: found.what };
  }
  return least;
}

/** A recipe in one word, for `--replay`. */
export const wordFor = (recipe) => Buffer.from(JSON.stringify(recipe)).toString('base64url');
export const recipeIn = (word) => JSON.parse(Buffer.from(word, 'base64url').toString());
