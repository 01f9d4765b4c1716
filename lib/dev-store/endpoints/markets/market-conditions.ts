import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { itemErrors, userError } from '../nodes/user-errors.js';

/** A country of a market, in an input. */
export interface Region {
  readonly countryCode: string;
}

interface Condition {
  readonly applicationLevel?: string | null;
  readonly regions?: readonly Region[] | null;
  readonly regionIds?: readonly string[] | null;
  readonly locationIds?: readonly string[] | null;
  readonly companyLocationIds?: readonly string[] | null;
}

/** The conditions of a market, in an input. */
export interface Conditions {
  readonly regionsCondition?: Condition | null;
  readonly locationsCondition?: Condition | null;
  readonly companyLocationsCondition?: Condition | null;
}

/** The conditions that a market may have; the first that it has says of which type it is. */
const CONDITIONS = [
  {
    name: 'regionsCondition',
    type: 'REGION',
    list: 'regions',
    ids: 'regionIds',
    of: 'MarketRegionCountry',
    missing: ['Region not found.', 'REGION_NOT_FOUND'],
  },
  {
    name: 'locationsCondition',
    type: 'LOCATION',
    list: 'locations',
    ids: 'locationIds',
    of: 'Location',
    missing: ['Location not found.', 'CONDITIONS_NOT_FOUND'],
  },
  {
    name: 'companyLocationsCondition',
    type: 'COMPANY_LOCATION',
    list: 'companyLocations',
    ids: 'companyLocationIds',
    of: 'CompanyLocation',
    missing: ['Company location not found.', 'CONDITIONS_NOT_FOUND'],
  },
] as const;

/** The type of a market with certain conditions. */
export function typeOf(conditions: Readonly<Record<string, unknown>> | Conditions): string {
  return CONDITIONS.find(({ name }) => conditions[name])?.type ?? 'NONE';
}

/** Why conditions are not added: what they name is not there. @param path of the conditions */
export function conditionErrors(
  nodes: NodeStore,
  added: Conditions,
  path: readonly string[],
): NodeError[] {
  return CONDITIONS.flatMap(({ name, ids, of, missing: [message, code] }) =>
    itemErrors(added[name]?.[ids] ?? [], [...path, name, ids], (id, at) =>
      nodes.find(id)?.type === of ? [] : [userError(at, message, code)],
    ),
  );
}

/**
 * The fields of a market after conditions were added to it and taken out of it; none when neither
 * names any.
 * @param before the fields of the market
 * @param created adds the node of a country; returns its id
 */
export function conditionFields(
  nodes: NodeStore,
  before: Readonly<NodeFields>,
  [added, gone]: readonly [added: Conditions, gone: Conditions],
  created: (region: Region) => string,
): NodeFields {
  if (CONDITIONS.every(({ name }) => !added[name] && !gone[name])) return {};
  const known = Object(before['conditions']) as Readonly<Record<string, NodeFields | null>>;
  const entries = CONDITIONS.map(({ name, list, ids }) => {
    const out = gone[name];
    const own = Object(known[name]) as Readonly<NodeFields>;
    const level = added[name]?.applicationLevel ?? own['applicationLevel'] ?? 'SPECIFIED';
    const isGone = (id: string): boolean =>
      [out?.[ids], out?.regions?.map((one) => one.countryCode)].some((all) =>
        all?.some((one) => one === id || one === nodes.fieldsOf(id)['code']),
      );
    const listed = [...((own[list] ?? []) as string[]), ...(added[name]?.[ids] ?? [])];
    const codes = new Set(listed.map((id) => nodes.fieldsOf(id)['code']));
    for (const region of added[name]?.regions ?? []) {
      if (codes.has(region.countryCode)) continue;
      codes.add(region.countryCode);
      listed.push(created(region));
    }
    const left = [...new Set(listed)].filter((id) => !isGone(id));
    const isAll = level === 'ALL' && out?.applicationLevel !== 'ALL';
    return [name, isAll || left.length > 0 ? { applicationLevel: level, [list]: left } : null];
  });
  const conditions = Object.fromEntries(entries) as Record<string, NodeFields | null>;
  const types = CONDITIONS.filter(({ name }) => conditions[name]).map(({ type }) => type);
  return {
    conditions: types.length > 0 ? { conditionTypes: types, ...conditions } : null,
    regions: conditions['regionsCondition']?.['regions'] ?? [],
    type: typeOf(conditions),
  };
}
