// Types of the object under the names that apps know from the platform's own Remix package.
import type {
  AdminContextOf,
  Distributed,
  DistributionIn,
  EmbeddedIn,
  IsEmbedded,
  StorageIn,
} from '../web/app-members.js';
import type { RegisteredResources } from '../../rest-client/resources/resource-set.js';
import type { RemixApp } from './platform-app.js';

/** The app that options of this type make. */
export type RemixAppOf<Options = object> = Distributed<
  RemixApp<
    RegisteredResources,
    IsEmbedded<DistributionIn<Options>, EmbeddedIn<Options>>,
    StorageIn<Options>
  >,
  DistributionIn<Options>
>;
/** What `authenticate.admin` of an app answers with: `AdminContext<typeof shopify>`. */
export type AdminContext<App = RemixApp> = AdminContextOf<App>;
