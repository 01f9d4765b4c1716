import { typedId } from '../../graphql/graphql.errors.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import { startedJob } from '../nodes/job.resolvers.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { idsOf, nodeOf } from '../orders/fulfillment-orders.js';
import {
  groupsOf,
  partsOf,
  writtenGroup,
  type GroupInput,
  type ZoneInput,
} from './delivery-profile-parts.js';

interface ProfileInput {
  readonly name?: string | null;
  readonly locationGroupsToCreate?: readonly GroupInput[] | null;
  readonly profileLocationGroups?: readonly GroupInput[] | null;
  readonly locationGroupsToUpdate?: readonly GroupInput[] | null;
  readonly locationGroupsToDelete?: readonly string[] | null;
  readonly zonesToDelete?: readonly string[] | null;
  readonly methodDefinitionsToDelete?: readonly string[] | null;
  readonly conditionsToDelete?: readonly string[] | null;
  readonly variantsToAssociate?: readonly string[] | null;
  readonly variantsToDissociate?: readonly string[] | null;
}

const LONGEST = 127;

/**
 * The resolvers of the mutations of delivery profiles: which products are shipped from where, to
 * which zones, by which methods.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/objects/DeliveryProfile
 */
export function deliveryProfileRoot({
  reader,
  changed,
  view,
}: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  const base = (message: string): NodeError => ({ field: null, message });

  /** Why an input is refused: the first reason. */
  const problem = (given: ProfileInput, isNew: boolean): NodeError | undefined => {
    const { name } = given;
    const field = ['profile', 'name'];
    for (const id of [...(given.variantsToAssociate ?? []), ...(given.variantsToDissociate ?? [])])
      typedId('ProductVariant', id);
    if (isNew ? !name?.trim() : name?.trim() === '')
      return { field, message: 'Add a profile name' };
    if ((name?.length ?? 0) > LONGEST) return { field, message: TOO_LONG };
    const made = [...(given.locationGroupsToCreate ?? []), ...(given.profileLocationGroups ?? [])];
    const groups = [...made, ...(given.locationGroupsToUpdate ?? [])];
    const locations = groups.flatMap((one) => [
      ...(one.locations ?? []),
      ...(one.locationsToAdd ?? []),
    ]);
    if (locations.some((id) => !nodeOf(nodes, 'Location', id))) return base(NO_LOCATION);
    const zones = groups.flatMap(({ zonesToCreate }) => zonesToCreate ?? []);
    return zones.some((zone: ZoneInput) => !zone.countries?.length)
      ? base(NO_COUNTRIES)
      : undefined;
  };

  /** Moves variants to a profile, from any other one, or off all of them. */
  const associated = (variants: readonly string[], profile?: string): void => {
    for (const item of nodes.all(['DeliveryProfileItem'])) {
      const before = idsOf(item.fields['variants']);
      const left = before.filter((id) => !variants.includes(id));
      if (left.length === before.length) continue;
      nodes.update(item.id, { variants: left });
      if (left.length === 0) nodes.delete(item.id);
    }
    for (const variant of profile ? variants : []) {
      const found = reader.view(variant) as { product(): { id: string } } | null;
      if (!found) continue;
      const product = found.product().id;
      const item = nodes
        .all(['DeliveryProfileItem'])
        .find(({ fields }) => fields['profile'] === profile && fields['product'] === product);
      const { id } = item ?? nodes.create('DeliveryProfileItem', { profile, product });
      nodes.update(id, { variants: [...idsOf(item?.fields['variants']), variant] });
    }
  };

  const write = (id: string, given: ProfileInput): void => {
    const before = nodes.fieldsOf(id);
    const parts = partsOf(nodes, before);
    const gone = [
      ...parts.groups.filter((part) => given.locationGroupsToDelete?.includes(part)),
      ...parts.zones.filter((part) => given.zonesToDelete?.includes(part)),
      ...parts.methods.filter((part) => given.methodDefinitionsToDelete?.includes(part)),
      ...parts.conditions.filter((part) => given.conditionsToDelete?.includes(part)),
    ];
    const isKept = (part: string): boolean => !gone.includes(part);
    const changes = [
      ...(given.locationGroupsToUpdate ?? []),
      ...(given.profileLocationGroups ?? []),
    ];
    const groups = groupsOf(before)
      .filter(({ locationGroup }) => isKept(locationGroup))
      .map((group) => {
        const change = changes.find((one) => one.id === group.locationGroup);
        const zones = group.locationGroupZones
          .filter(({ zone }) => isKept(zone))
          .map(({ zone, methodDefinitions }) => ({
            ...{ zone, methodDefinitions: methodDefinitions.filter(isKept) },
          }));
        const kept = { ...group, locationGroupZones: zones };
        return change ? writtenGroup(nodes, change, kept) : kept;
      });
    const made = [
      ...(given.locationGroupsToCreate ?? []),
      ...(given.profileLocationGroups ?? []).filter((one) => one.id == null),
    ].map((one) => writtenGroup(nodes, one));
    for (const part of gone) {
      for (const method of nodes.naming(part, ['DeliveryMethodDefinition']))
        nodes.update(method.id, {
          methodConditions: idsOf(method.fields['methodConditions']).filter(isKept),
        });
      nodes.delete(part);
    }
    associated(given.variantsToDissociate ?? []);
    associated(given.variantsToAssociate ?? [], id);
    nodes.update(id, {
      ...(given.name == null ? {} : { name: given.name }),
      version: Number(before['version'] ?? 0) + 1,
      profileLocationGroups: [...groups, ...made],
    });
    nodes.update(id, counts(id));
  };

  /** What a profile tells of its parts. */
  const counts = (id: string): NodeFields => {
    const groups = groupsOf(nodes.fieldsOf(id));
    const zones = groups.flatMap(({ locationGroupZones }) => locationGroupZones);
    const methods = zones.flatMap(({ methodDefinitions }) => methodDefinitions);
    const items = nodes
      .all(['DeliveryProfileItem'])
      .filter(({ fields }) => fields['profile'] === id);
    const count = items.flatMap(({ fields }) => idsOf(fields['variants'])).length;
    const sum = (parts: readonly string[], list: string): number =>
      parts.reduce((all, part) => all + idsOf(nodes.fieldsOf(part)[list]).length, 0);
    return {
      originLocationCount: sum(
        groups.map(({ locationGroup }) => locationGroup),
        'locations',
      ),
      zoneCountryCount: sum(
        zones.map(({ zone }) => zone),
        'countries',
      ),
      activeMethodDefinitionsCount: methods.filter((one) => nodes.fieldsOf(one)['active']).length,
      profileItems: items.map((one) => one.id),
      productVariantsCount: { count, precision: 'EXACT' },
      productVariantsCountV2: { count, capped: false },
    };
  };

  const written = (id: string, given: ProfileInput, change: 'create' | 'update'): object => {
    write(id, given);
    changed(change, id, nodes.fieldsOf(id));
    return { profile: view(id), userErrors: [] };
  };
  const refused = (error: NodeError): object => ({ profile: null, userErrors: [error] });

  return {
    deliveryProfileCreate: ({ profile }: { profile: ProfileInput }) => {
      const error = problem(profile, true);
      if (error) return refused(error);
      const { id } = nodes.create('DeliveryProfile', { default: false, unassignedLocations: [] });
      return written(id, profile, 'create');
    },

    deliveryProfileUpdate: ({ id, profile }: { id: string; profile: ProfileInput }) => {
      if (!nodeOf(nodes, 'DeliveryProfile', id)) return refused(base(NOT_UPDATED));
      const error = problem(profile, false);
      return error ? refused(error) : written(id, profile, 'update');
    },

    deliveryProfileRemove: ({ id }: { id: string }) => {
      const fields = nodeOf(nodes, 'DeliveryProfile', id);
      const message = !fields ? NOT_FOUND : fields['default'] ? IS_DEFAULT : undefined;
      if (!fields || message) return { job: null, userErrors: [base(message ?? NOT_FOUND)] };
      associated(
        idsOf(fields['profileItems']).flatMap((item) => idsOf(nodes.fieldsOf(item)['variants'])),
      );
      nodes.delete(id);
      changed('delete', id, fields);
      return { job: startedJob(nodes), userErrors: [] };
    },

    locationsAvailableForDeliveryProfiles: () =>
      nodes
        .all(['Location'])
        .filter(({ fields }) => fields['isActive'] !== false)
        .map(({ id }) => view(id)),
  };
}

const TOO_LONG = 'Profile name must be less than 128 characters long';
const NO_LOCATION = 'The Location could not be found for this shop.';
const NO_COUNTRIES = 'Profile is invalid: cannot create LocationGroupZone without countries.';
const NOT_UPDATED = 'Profile could not be updated.';
const NOT_FOUND = 'The Delivery Profile cannot be found for the shop.';
const IS_DEFAULT = 'Cannot delete the default profile.';
