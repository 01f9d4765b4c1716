/** True of a path of the app: a single "/" in front, and neither query, spaces nor backslashes. */
export function isAppPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?!\/)[^\s?#\\]*$/.test(path);
}

/** What is wrong with another one. @param example a path that the option may have */
export function noAppPath(example: string): string {
  return `must be a path on the app that starts with a single "/", without query or spaces, such as "${example}"`;
}
