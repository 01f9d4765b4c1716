// Both expressions find the name first and check what precedes it last: in the other order every
// quote of the text would start an attempt.
const ID = /(id"(?<=(?:_|[^\\]")id")\s*:\s*)(-?\d+)(?![\d.e])/gi;
const ID_LIST = /(_ids"\s*:\s*\[)([\s\d,nul-]*)\]/gi;

/**
 * Parses JSON in which ids have more digits than a number can hold: values under `id`, `…_id` and
 * (as a list) `…_ids` become texts. A quote inside a JSON text is always escaped, so no parser is
 * needed to find the names.
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
