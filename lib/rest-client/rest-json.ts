// A name has eighty characters at most, so that no text of megabytes is walked through for one.
const ID = /(?<!\\)("(?:(?:[^"\\]|\\.){0,80}_)?id"\s*:\s*)(-?\d+)(?![\d.eE])/gi;
const ID_LIST = /(?<!\\)("(?:[^"\\]|\\.){0,80}_ids"\s*:\s*\[)([\s\d,nul-]*)\]/gi;

/**
 * JSON in which ids have more digits than a number can hold: what stands under `id`, `…_id` and (as a list) `…_ids` is read as text.
 * A quote inside a JSON text is always escaped, so the names can be told apart without a parser of our own.
 * @throws {SyntaxError} when the text is no JSON
 */
export function parseWithTextIds(json: string): unknown {
  const quoted = json
    .replace(ID, '$1"$2"')
    .replace(ID_LIST, (_, start: string, ids: string) => `${start}${ids.replace(/-?\d+/g, '"$&"')}]`);
  return JSON.parse(quoted);
}
