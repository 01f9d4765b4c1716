import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { itemErrors, userError } from '../nodes/user-errors.js';
import { addAssignment, nodeId } from './company-nodes.js';
import { notThere } from './company.resolvers.js';

/** A role for a contact in a location. */
interface Assigned {
  readonly companyContactId: string;
  readonly companyContactRoleId: string;
  readonly companyLocationId: string;
}

interface ContactRolesArgs {
  readonly companyContactId: string;
  readonly rolesToAssign: ReadonlyArray<Omit<Assigned, 'companyContactId'>>;
}

interface LocationRolesArgs {
  readonly companyLocationId: string;
  readonly rolesToAssign: ReadonlyArray<Omit<Assigned, 'companyLocationId'>>;
}

interface RevokeAllArgs {
  readonly companyContactId: string;
  readonly roleAssignmentIds?: readonly string[] | null;
  readonly revokeAll?: boolean | null;
}

interface RevokeLocationArgs {
  readonly companyLocationId: string;
  readonly rolesToRevoke: readonly string[];
}

type Reason = keyof typeof MISSING;

const TYPE = 'CompanyContactRoleAssignment';
const TWICE = 'Company contact has already been assigned a role in that company location.';

/** What is said of an id that nothing has, or something of another company. */
const MISSING = {
  companyContactId: "The company contact doesn't exist.",
  companyContactRoleId: "The company contact role doesn't exist.",
  companyLocationId: "The company location doesn't exist.",
};

/** What the lists of a location say of it. */
const MISSING_IN_LOCATION = {
  companyContactId: 'Company contact does not exist.',
  companyContactRoleId: 'Company role does not exist.',
  companyLocationId: 'Location does not exist.',
};

/**
 * The resolvers of the mutations that give the contacts of a company roles in its locations.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/companyContactAssignRole
 */
export function companyRoleRoot({ reader, view }: NodeWriter): Record<string, unknown> {
  const { nodes } = reader.store;
  /** The first id that is not one of the company of the contact; or why the role cannot be had. */
  const problem = (one: Assigned): Reason | 'twice' | undefined => {
    const { companyContactId, companyContactRoleId, companyLocationId } = one;
    if (!nodeId(nodes, 'CompanyContact', companyContactId)) return 'companyContactId';
    const { company } = nodes.fieldsOf(companyContactId);
    const isOurs = (type: string, id: string): boolean =>
      nodeId(nodes, type, id) !== undefined && nodes.fieldsOf(id)['company'] === company;
    if (!isOurs('CompanyLocation', companyLocationId)) return 'companyLocationId';
    if (!isOurs('CompanyContactRole', companyContactRoleId)) return 'companyContactRoleId';
    const roles = nodes.naming(companyContactId, [TYPE]);
    return roles.some(({ fields }) => fields['companyLocation'] === companyLocationId)
      ? 'twice'
      : undefined;
  };
  const assigned = (one: Assigned): object | null =>
    view(
      addAssignment(nodes, [one.companyContactId, one.companyContactRoleId, one.companyLocationId]),
    );
  const twice = (path: readonly string[] | null): NodeError =>
    userError(path, TWICE, 'LIMIT_REACHED');
  const allAssigned = (
    wanted: readonly Assigned[],
    missing: (why: Reason, path: readonly string[]) => NodeError,
  ): object => {
    const roleAssignments: unknown[] = [];
    const userErrors = itemErrors(wanted, ['rolesToAssign'], (one, path) => {
      const why = problem(one);
      if (why === 'twice') return [twice(path)];
      if (why) return [missing(why, path)];
      roleAssignments.push(assigned(one));
      return [];
    });
    return { roleAssignments, userErrors };
  };
  /** Takes roles away from the contact, or the location, that has them. */
  const revoked = (ids: readonly string[], owner: string, path: string): object => {
    const revokedRoleAssignmentIds: string[] = [];
    const userErrors = itemErrors(ids, [path], (id, at) => {
      const isOwn = nodeId(nodes, TYPE, id) && Object.values(nodes.fieldsOf(id)).includes(owner);
      if (!isOwn) return [notThere(at)];
      nodes.delete(id);
      revokedRoleAssignmentIds.push(id);
      return [];
    });
    return { revokedRoleAssignmentIds, userErrors };
  };
  return {
    companyContactAssignRole: (one: Assigned) => {
      const why = problem(one);
      if (!why) return { companyContactRoleAssignment: assigned(one), userErrors: [] };
      const error = why === 'twice' ? twice(null) : notThere([why], MISSING[why]);
      return { companyContactRoleAssignment: null, userErrors: [error] };
    },
    companyContactAssignRoles: ({ companyContactId: id, rolesToAssign }: ContactRolesArgs) => {
      if (!nodeId(nodes, 'CompanyContact', id)) {
        const userErrors = [notThere(['companyContactId'], MISSING.companyContactId)];
        return { roleAssignments: null, userErrors };
      }
      const wanted = rolesToAssign.map((role) => ({ ...role, companyContactId: id }));
      return allAssigned(wanted, (why, path) => notThere([...path, why]));
    },
    companyLocationAssignRoles: ({ companyLocationId: id, rolesToAssign }: LocationRolesArgs) => {
      if (!nodeId(nodes, 'CompanyLocation', id)) {
        const userErrors = [notThere(['companyLocationId'], MISSING_IN_LOCATION.companyLocationId)];
        return { roleAssignments: null, userErrors };
      }
      const wanted = rolesToAssign.map((role) => ({ ...role, companyLocationId: id }));
      return allAssigned(wanted, (why, path) => notThere(path, MISSING_IN_LOCATION[why]));
    },
    companyContactRevokeRole: (args: {
      readonly companyContactId: string;
      readonly companyContactRoleAssignmentId: string;
    }) => {
      const { companyContactId, companyContactRoleAssignmentId: id } = args;
      const isThere = nodes.find(id)?.fields['companyContact'] === companyContactId;
      if (isThere) nodes.delete(id);
      const message = "The role assignment doesn't exist.";
      const userErrors = isThere ? [] : [notThere(['companyContactRoleAssignmentId'], message)];
      return { revokedCompanyContactRoleAssignmentId: isThere ? id : null, userErrors };
    },
    companyContactRevokeRoles: ({ companyContactId, ...args }: RevokeAllArgs) => {
      const none = (error: NodeError): object => ({
        revokedRoleAssignmentIds: null,
        userErrors: [error],
      });
      if (!nodeId(nodes, 'CompanyContact', companyContactId))
        return none(notThere(['companyContactId'], MISSING.companyContactId));
      const ids = args.revokeAll
        ? nodes.naming(companyContactId, [TYPE]).map(({ id }) => id)
        : (args.roleAssignmentIds ?? []);
      if (!args.revokeAll && ids.length === 0)
        return none(userError(null, 'Invalid input.', 'INVALID_INPUT'));
      return revoked(ids, companyContactId, 'roleAssignmentIds');
    },
    companyLocationRevokeRoles: ({ companyLocationId: id, rolesToRevoke }: RevokeLocationArgs) => {
      if (nodeId(nodes, 'CompanyLocation', id)) return revoked(rolesToRevoke, id, 'rolesToRevoke');
      const userErrors = [notThere(['companyLocationId'], MISSING_IN_LOCATION.companyLocationId)];
      return { revokedRoleAssignmentIds: null, userErrors };
    },
  };
}
