// Types of the object under the names that apps know from the platform's own React Router package.
import type {
  AdminContextOf,
  Distributed,
  DistributionIn,
  IsEmbedded,
  StorageIn,
} from '../web/app-members.js';
import type { RegisteredResources } from '../../rest-client/resources/resource-set.js';
import type { ReactRouterApp } from './platform-app.js';

/** The app that options of this type make. */
export type ReactRouterAppOf<Options = object> = Distributed<
  ReactRouterApp<
    RegisteredResources,
    IsEmbedded<DistributionIn<Options>, true>,
    StorageIn<Options>
  >,
  DistributionIn<Options>
>;
/** What `authenticate.admin` of an app answers with: `AdminContext<typeof shopify>`. */
export type AdminContext<App = ReactRouterApp> = AdminContextOf<App>;
