/**
 * Held while an app's code is told what has happened to an installation. Of the locks of a shop,
 * they are taken in the order in which they stand here.
 */
export function installLock(apiKey: string, shop: string): string {
  return `install:${apiKey}:${shop}`;
}

/** Held while it is found out what a shop has granted. */
export function scopesLock(apiKey: string, shop: string): string {
  return `scopes:${apiKey}:${shop}`;
}

/** Held while the sessions of a shop are renewed, granted or deleted. */
export function tokenLock(apiKey: string, shop: string): string {
  return `token:${apiKey}:${shop}`;
}
