/** The URL of a server whose parts are known. @param host may have a port */
export function serverUrl(protocol: string, host: string, ...parts: string[]): string {
  const [database, user, password] = parts.map(encodeURIComponent);
  return `${protocol}://${user}:${password}@${host}/${database}`;
}
