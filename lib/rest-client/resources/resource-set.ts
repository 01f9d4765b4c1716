import type { Register } from '../../core/register.js';
import type { ApiSession } from '../../core/api-session.js';
import type { ResourceClient } from './resource-request.js';
import { RestResource } from './rest-resource.js';
import type { ResourceBinding, ResourceClass } from './rest-resource.js';

/** Resource classes by name, such as the `restResources` of `shopwright/rest/admin/<version>`. */
export type ResourceSet = Readonly<Record<string, ResourceClass>>;

/** The resources that an app has registered, see {@link Register}; else any. */
export type RegisteredResources = Register extends {
  readonly restResources: infer Registered extends ResourceSet;
}
  ? Registered
  : ResourceSet;

/** True for a set of the toolkit's resource classes. */
export function isResourceSet(value: unknown): value is ResourceSet {
  return typeof value === 'object' && value !== null && Object.values(value).every(isResourceClass);
}

function isResourceClass(value: unknown): value is ResourceClass {
  return typeof value === 'function' && value.prototype instanceof RestResource;
}

/**
 * Mounts the classes for one app: subclasses that have its client and its version. Two apps share
 * no class, nested resources included.
 */
export function mountResources<Set extends ResourceSet>(
  resources: Set,
  apiVersion: string,
  clientFor: (session: ApiSession) => ResourceClient,
): Set {
  const mounted = new Map<ResourceClass, ResourceClass>();
  const mount = (resource: ResourceClass): ResourceClass => {
    const existing = mounted.get(resource);
    if (existing) return existing;
    const sibling = (name: string): ResourceClass | undefined => {
      const original = resource.binding.sibling(name);
      return original && mount(original);
    };
    const Mounted = class extends resource {
      static override readonly apiVersion = apiVersion;
      static override get binding(): ResourceBinding {
        return { definition: resource.binding.definition, sibling, clientFor };
      }
    };
    Object.defineProperty(Mounted, 'name', { value: resource.name, configurable: true });
    mounted.set(resource, Mounted);
    return Mounted;
  };
  return Object.freeze(
    Object.fromEntries(
      Object.entries(resources).map(([name, resource]) => [name, mount(resource)]),
    ),
  ) as Set;
}
