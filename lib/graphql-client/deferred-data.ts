import { isRecord } from '../core/json.js';

/** The path of a deferred piece: names of fields and positions in lists, from the root. */
export type DeferredPath = readonly (string | number)[];

/**
 * The data with a piece merged in at its path. Records are merged field by field and lists by
 * position; `null` replaces no existing data. Neither argument is changed.
 */
export function mergedAt(data: unknown, path: DeferredPath, piece: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return merged(data, piece);
  if (typeof key === 'number') {
    const list = Array.isArray(data) ? [...data] : [];
    list[key] = mergedAt(list[key], rest, piece);
    return list;
  }
  const record = isRecord(data) ? data : {};
  return {
    ...record,
    [key]: mergedAt(Object.hasOwn(record, key) ? record[key] : undefined, rest, piece),
  };
}

/** The same for consecutive items of a list; `path` ends with the position of the first. */
export function itemsMergedAt(
  data: unknown,
  path: DeferredPath,
  items: readonly unknown[],
): unknown {
  const first = Number(path.at(-1) ?? 0);
  return items.reduce(
    (list: unknown, item, offset) => mergedAt(list, [...path.slice(0, -1), first + offset], item),
    data,
  );
}

function merged(old: unknown, piece: unknown): unknown {
  if (piece === null || piece === undefined) return old ?? piece;
  if (Array.isArray(old) && Array.isArray(piece)) {
    const rest = old.slice(piece.length);
    return [...piece.map((item, at) => merged(old[at], item)), ...rest];
  }
  if (!isRecord(old) || !isRecord(piece)) return piece;
  return Object.fromEntries(
    Object.entries({ ...old, ...piece }).map(([name, value]) => [
      name,
      Object.hasOwn(old, name) ? merged(old[name], value) : value,
    ]),
  );
}
