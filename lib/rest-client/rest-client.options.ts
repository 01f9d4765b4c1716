import type { OptionProblem } from '../core/core.errors.js';
import { isResourceSet } from './resources/resource-set.js';
import type { RegisteredResources, ResourceSet } from './resources/resource-set.js';
import { mayServe, servingVersion } from './resources/resource-versions.js';

/** The options of the Admin REST client. */
export interface RestClientOptions<Resources extends ResourceSet = RegisteredResources> {
  /**
   * The `restResources` of `shopwright/rest/admin/<version>`, of the version in `apiVersion`.
   * @default none
   */
  readonly restResources?: Resources | undefined;
}

/** The problems in these options. */
export function problemsInRestClient({
  restResources,
  apiVersion,
}: RestClientOptions<ResourceSet> & { apiVersion?: unknown }): OptionProblem[] {
  if (restResources === undefined) return [];
  const option = 'restResources';
  if (!isResourceSet(restResources)) {
    return [
      { option, message: 'must be the restResources that shopwright/rest/admin/<version> exports' },
    ];
  }
  if (typeof apiVersion !== 'string') return [];
  const versions = new Set(Object.values(restResources).map((resource) => resource.apiVersion));
  return [...versions]
    .filter((version) => !mayServe(version, apiVersion))
    .map((version) => {
      const fitting = `those of shopwright/rest/admin/${servingVersion(apiVersion)} serve it`;
      return {
        option,
        message: `are of version ${version}, but apiVersion is ${apiVersion}: ${fitting}`,
      };
    });
}
