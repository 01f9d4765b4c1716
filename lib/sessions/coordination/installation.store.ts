/** What can happen to an installation, and is told to the app once. */
export type LifecycleEvent =
  | 'installed'
  | 'reinstalled'
  | 'scopes_changed'
  | 'authenticated'
  | 'needs_reauthorization'
  | 'uninstalled';

/** An event the app has not heard of yet, or has failed to deal with. */
export interface PendingEvent {
  /** `after_install` is the toolkit's own part, such as subscribing to webhooks. */
  readonly event: LifecycleEvent | 'after_install';
  /** Comma-separated; of `scopes_changed` alone. */
  readonly previousScope?: string | undefined;
  /** Id of the user, where users have tokens of their own; of `authenticated` alone. */
  readonly user?: number | undefined;
  /** Version of the record with which it happened last: tells it from the next of its kind. */
  readonly version?: number | undefined;
  /** Names of the app's handlers that are done with it. */
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

/** The record as text, for engines that keep it in one field beside its version. */
export function serializeInstallation(installation: Installation): string {
  return JSON.stringify(installation);
}

/** The way back. */
export function parseInstallation(text: string): Installation {
  const { grantedAt, ...record } = JSON.parse(text) as SerializedInstallation;
  return { ...record, grantedAt: new Date(grantedAt) };
}

interface SerializedInstallation extends Omit<Installation, 'grantedAt'> {
  readonly grantedAt: string;
}
