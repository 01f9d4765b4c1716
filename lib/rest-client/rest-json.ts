// Both look for the name first and behind it last: the other way round every quote of the text
// would be a place to start from.
const ID = /(id"(?<=(?:_|[^\\]")id")\s*:\s*)(-?\d+)(?![\d.e])/gi;
const ID_LIST = /(_ids"\s*:\s*\[)([\s\d,nul-]*)\]/gi;

/**
 * JSON in which ids have more digits than a number can hold: what stands under `id`, `…_id` and (as
 * a list) `…_ids` is read as text. A quote inside a JSON text is always escaped, so the names can
 * be told apart without a parser of our own.
 * @throws {SyntaxError} when the text is no JSON
 */
export function parseWithTextIds(json: string): unknown {
  const quoted = json
    .replace(ID, '$1"$2"')
    .replace(
      ID_LIST,
      (_, start: string, ids: string) => `${start}${ids.replace(/-?\d+/g, '"$&"')}]`,
    );
  return JSON.parse(quoted);
}
