import { countryName } from '../../base/country-names.js';
import type { NodeFields, NodeStore } from '../../state/nodes/node-store.js';
import { idsOf } from '../orders/fulfillment-orders.js';

interface CountryInput {
  readonly code?: string | null;
  readonly restOfWorld?: boolean | null;
  readonly provinces?: ReadonlyArray<{ readonly code: string }> | null;
}

interface ConditionInput {
  readonly operator?: string | null;
  readonly criteria?: object | null;
}

interface MethodInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly active?: boolean | null;
  readonly rateDefinition?: { readonly price: object } | null;
  readonly participant?: Readonly<NodeFields> | null;
  readonly weightConditionsToCreate?: readonly ConditionInput[] | null;
  readonly priceConditionsToCreate?: readonly ConditionInput[] | null;
  readonly conditionsToUpdate?: ReadonlyArray<Readonly<NodeFields>> | null;
}

/** A zone of countries, with the methods that deliver there. */
export interface ZoneInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly countries?: readonly CountryInput[] | null;
  readonly methodDefinitionsToCreate?: readonly MethodInput[] | null;
  readonly methodDefinitionsToUpdate?: readonly MethodInput[] | null;
}

/** Locations that deliver to the same zones. */
export interface GroupInput {
  readonly id?: string | null;
  readonly locations?: readonly string[] | null;
  readonly locationsToAdd?: readonly string[] | null;
  readonly locationsToRemove?: readonly string[] | null;
  readonly zonesToCreate?: readonly ZoneInput[] | null;
  readonly zonesToUpdate?: readonly ZoneInput[] | null;
}

/** A zone of a group: the node of the zone, and those of its methods. */
interface KeptZone {
  readonly zone: string;
  readonly methodDefinitions: readonly string[];
}

/** A group of a profile: the node of its locations, and its zones. */
interface KeptGroup {
  readonly locationGroup: string;
  readonly locationGroupZones: readonly KeptZone[];
}

/** The groups of a profile. */
export function groupsOf(profile: Readonly<NodeFields>): readonly KeptGroup[] {
  return (profile['profileLocationGroups'] ?? []) as readonly KeptGroup[];
}

/** The ids of what a profile consists of, by the kind of part. */
export function partsOf(
  nodes: NodeStore,
  profile: Readonly<NodeFields>,
): Record<'groups' | 'zones' | 'methods' | 'conditions', readonly string[]> {
  const groups = groupsOf(profile);
  const zones = groups.flatMap(({ locationGroupZones }) => locationGroupZones);
  const methods = zones.flatMap(({ methodDefinitions }) => methodDefinitions);
  return {
    groups: groups.map(({ locationGroup }) => locationGroup),
    zones: zones.map(({ zone }) => zone),
    methods,
    conditions: methods.flatMap((id) => idsOf(nodes.fieldsOf(id)['methodConditions'])),
  };
}

/** Writes a group, and what is in it. @param before what is there already */
export function writtenGroup(nodes: NodeStore, given: GroupInput, before?: KeptGroup): KeptGroup {
  const locationGroup =
    before?.locationGroup ?? nodes.create('DeliveryLocationGroup', { locations: [] }).id;
  const removed = given.locationsToRemove ?? [];
  const added = [...(given.locations ?? []), ...(given.locationsToAdd ?? [])];
  const known = idsOf(nodes.fieldsOf(locationGroup)['locations']);
  const locations = [...new Set([...known, ...added])].filter((id) => !removed.includes(id));
  nodes.update(locationGroup, { locations });
  const zones = (before?.locationGroupZones ?? []).map((zone) => {
    const change = given.zonesToUpdate?.find(({ id }) => id === zone.zone);
    return change ? writtenZone(nodes, change, zone) : zone;
  });
  const made = (given.zonesToCreate ?? []).map((zone) => writtenZone(nodes, zone));
  return { locationGroup, locationGroupZones: [...zones, ...made] };
}

function writtenZone(nodes: NodeStore, given: ZoneInput, before?: KeptZone): KeptZone {
  const zone = before?.zone ?? nodes.create('DeliveryZone', { countries: [] }).id;
  const { name, countries } = given;
  nodes.update(zone, {
    ...(name == null ? {} : { name }),
    ...(countries ? { countries: countries.map((one) => countryOf(nodes, one)) } : {}),
  });
  for (const method of given.methodDefinitionsToUpdate ?? [])
    if (before?.methodDefinitions.includes(String(method.id)))
      writeMethod(nodes, String(method.id), method);
  const made = (given.methodDefinitionsToCreate ?? []).map((method) => {
    const { id } = nodes.create('DeliveryMethodDefinition', {
      ...{ active: true, description: null, methodConditions: [] },
    });
    writeMethod(nodes, id, method);
    return id;
  });
  return { zone, methodDefinitions: [...(before?.methodDefinitions ?? []), ...made] };
}

function countryOf(nodes: NodeStore, { code, restOfWorld, provinces }: CountryInput): string {
  const name = restOfWorld ? 'Rest of World' : countryName(String(code));
  return nodes.create('DeliveryCountry', {
    ...{ name, translatedName: name },
    code: { countryCode: restOfWorld ? null : code, restOfWorld: restOfWorld ?? false },
    provinces: (provinces ?? []).map(
      (one) =>
        nodes.create('DeliveryProvince', {
          ...{ code: one.code, name: one.code, translatedName: one.code },
        }).id,
    ),
  }).id;
}

function writeMethod(nodes: NodeStore, id: string, given: MethodInput): void {
  const { name, description, active, rateDefinition: rate, participant } = given;
  const before = nodes.fieldsOf(id);
  const conditions = [
    ...idsOf(before['methodConditions']),
    ...(given.weightConditionsToCreate ?? []).map((one) => condition(nodes, 'Weight', one)),
    ...(given.priceConditionsToCreate ?? []).map((one) => condition(nodes, 'MoneyV2', one)),
  ];
  for (const {
    id: changed,
    operator,
    field,
    criteria,
    criteriaUnit: unit,
  } of given.conditionsToUpdate ?? []) {
    if (!idsOf(before['methodConditions']).includes(String(changed))) continue;
    const old = nodes.fieldsOf(String(changed));
    const weighed = Object(old['conditionCriteria']).__typename === 'Weight';
    const value = weighed ? { value: criteria, unit } : { amount: criteria, currencyCode: unit };
    nodes.update(String(changed), {
      ...{ operator: operator ?? old['operator'], field: field ?? old['field'] },
      conditionCriteria: { ...Object(old['conditionCriteria']), ...value },
    });
  }
  nodes.update(id, {
    methodConditions: conditions,
    ...(name == null ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(active == null ? {} : { active }),
    ...(rate ? { rateProvider: rated(nodes, before['rateProvider'], rate) } : {}),
    ...(participant ? { rateProvider: participating(nodes, participant) } : {}),
  });
}

function rated(nodes: NodeStore, before: unknown, { price }: { readonly price: object }): string {
  const known = nodes.find(String(before));
  if (known?.type !== 'DeliveryRateDefinition')
    return nodes.create('DeliveryRateDefinition', { price }).id;
  nodes.update(known.id, { price });
  return known.id;
}

function participating(nodes: NodeStore, given: Readonly<NodeFields>): string {
  const { carrierServiceId, adaptToNewServices, fixedFee, percentageOfRateFee } = given;
  return nodes.create('DeliveryParticipant', {
    ...{ carrierService: carrierServiceId, fixedFee, percentageOfRateFee },
    adaptToNewServicesFlag: adaptToNewServices ?? false,
    participantServices: given['participantServices'] ?? [],
  }).id;
}

function condition(
  nodes: NodeStore,
  type: 'MoneyV2' | 'Weight',
  { operator, criteria }: ConditionInput,
): string {
  return nodes.create('DeliveryCondition', {
    field: type === 'Weight' ? 'TOTAL_WEIGHT' : 'TOTAL_PRICE',
    operator: operator ?? 'GREATER_THAN_OR_EQUAL_TO',
    conditionCriteria: { ...criteria, __typename: type },
  }).id;
}
