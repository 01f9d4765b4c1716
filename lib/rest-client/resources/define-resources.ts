import { ResourceDefinition } from './resource-definition.js';
import { addMethods } from './resource-methods.js';
import type { ResourceSet } from './resource-set.js';
import { RestResource } from './rest-resource.js';
import type { ResourceBinding, ResourceClass } from './rest-resource.js';
import { layersOf } from './version-layers.js';

/** Creates the classes of a version. They belong to no app until an app mounts them. */
export function defineResources(version: string): ResourceSet {
  const resources: Record<string, ResourceClass> = {};
  const sibling = (name: string): ResourceClass | undefined => resources[name];
  for (const [name, layers] of layersOf(version)) {
    let binding: ResourceBinding | undefined;
    const Resource = class extends RestResource {
      static override readonly apiVersion = version;
      // Created when it is needed: an app imports all classes and uses a few.
      static override get binding(): ResourceBinding {
        return (binding ??= { definition: new ResourceDefinition(name, layers), sibling });
      }
    };
    // The name that debuggers and logs show.
    Object.defineProperty(Resource, 'name', { value: name, configurable: true });
    for (const { calls = [] } of layers) addMethods(Resource, calls);
    resources[name] = Resource;
  }
  return Object.freeze(resources);
}
