/** What can happen to an installation. Each event is delivered to the app's handlers once. */
export type LifecycleEvent =
  | 'installed'
  | 'reinstalled'
  | 'scopes_changed'
  | 'authenticated'
  | 'needs_reauthorization'
  | 'uninstalled';

/** An event that has not been delivered to the app yet, or that a handler of it failed on. */
export interface PendingEvent {
  /** `after_install` is the toolkit's own work, such as subscribing to webhooks. */
  readonly event: LifecycleEvent | 'after_install';
  /** Comma-separated; only of `scopes_changed`. */
  readonly previousScope?: string | undefined;
  /** Id of the user, when users have tokens of their own; only of `authenticated`. */
  readonly user?: number | undefined;
  /** Version of the record with which it last happened: tells two events of one name apart. */
  readonly version?: number | undefined;
  /** Names of the app's handlers that have finished it. */
  readonly done?: readonly string[] | undefined;
}

/** What is known about one shop having an app. */
export interface Installation {
  /** Client id of the app. */
  readonly app: string;
  readonly shop: string;
  /**
   * 1 for the first time the shop installed the app; one more for each time after an
   * uninstallation.
   */
  readonly generation: number;
  readonly status: 'installed' | 'needs_reauthorization' | 'uninstalled';
  /** What the shop has granted, comma-separated. */
  readonly scope: string;
  /**
   * When the platform granted the app's latest token: the app was installed then. The epoch, when
   * no grant has been seen.
   */
  readonly grantedAt: Date;
  /** In the order they happened. */
  readonly pending: readonly PendingEvent[];
  /** Counts the changes to this record, from 1. */
  readonly version: number;
}

/** Keeps one record per app and shop, and never mixes two writers' changes. A port. */
export abstract class InstallationStore {
  abstract load(app: string, shop: string): Promise<Installation | undefined>;
  /**
   * Writes the record if the stored one has the version before it: none at all for version 1.
   * @returns false, and changes nothing, when someone else has written meanwhile
   */
  abstract save(installation: Installation): Promise<boolean>;
}
