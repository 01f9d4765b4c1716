import type { AppDistribution } from '../../core/config/config.options.js';
import type { ResourceSet } from '../../rest-client/resources/resource-set.js';
import type { SessionStorage } from '../../sessions/session.storage.js';
import type { EmbeddedAdminContext, StandaloneAdminContext } from './web-context.js';

/** The options that decide which members an app has, as the compiler infers them. */
export interface MemberOptions<
  Distribution extends AppDistribution,
  Embedded extends boolean,
  Storage extends SessionStorage,
> {
  readonly distribution?: Distribution | undefined;
  readonly isEmbeddedApp?: Embedded | undefined;
  readonly sessionStorage?: Storage | undefined;
}

/** An app that was made in the admin of a store may go without a storage; any other may not. */
export type StorageOption<Distribution extends AppDistribution> =
  IsOfOneStore<Distribution> extends true ? object : { readonly sessionStorage: SessionStorage };

/** True for an app that was made in the admin of a store: nothing signs its requests. */
type IsOfOneStore<Distribution> = [Distribution] extends [AppDistribution.PlatformAdmin]
  ? true
  : false;

/** Whether the options of an app make it embedded: one that was made in the admin is not. */
export type IsEmbedded<Distribution extends AppDistribution, Embedded extends boolean> =
  IsOfOneStore<Distribution> extends true ? false : Embedded;

/**
 * What `authenticate.admin` of an app answers with. Where nothing is known, the app is embedded.
 */
export type ContextOf<Resources extends ResourceSet, Embedded extends boolean> = [
  Embedded,
] extends [false]
  ? StandaloneAdminContext<Resources>
  : EmbeddedAdminContext<Resources>;

/** The app as its distribution makes it: one that was made in the admin of a store has no login. */
export type Distributed<App, Distribution extends AppDistribution> =
  IsOfOneStore<Distribution> extends true ? Omit<App, 'login'> : App;

/** The distribution that options name. */
export type DistributionIn<Options> = Options extends {
  readonly distribution: infer Distribution extends AppDistribution;
}
  ? Distribution
  : AppDistribution;

/** Whether options make an app embedded. */
export type EmbeddedIn<Options> = Options extends {
  readonly isEmbeddedApp: infer Embedded extends boolean;
}
  ? Embedded
  : boolean;

/** The storage that options name. */
export type StorageIn<Options> = Options extends {
  readonly sessionStorage: infer Storage extends SessionStorage;
}
  ? Storage
  : SessionStorage;

/** What `authenticate.admin` of an app object answers with. */
export type AdminContextOf<App> = App extends {
  readonly authenticate: { readonly admin: (request: Request) => Promise<infer Context> };
}
  ? Context
  : never;
