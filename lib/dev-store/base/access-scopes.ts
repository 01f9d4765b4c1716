const SCOPE = /^(unauthenticated_)?(read|write)_[a-z][a-z_]*$/;

/**
 * The scopes in a comma-separated list, without duplicates and without read scopes that a write
 * scope implies. Undefined when one is malformed.
 */
export function parseScopes(text: string): string[] | undefined {
  const scopes = [...new Set(text.split(',').map((scope) => scope.trim()))].filter(Boolean);
  if (!scopes.every((scope) => SCOPE.test(scope))) return undefined;
  return scopes.filter(
    (scope) => !scope.includes('read_') || !scopes.includes(scope.replace('read_', 'write_')),
  );
}

/** True when the granted scopes cover the requested one; a write scope implies the read scope. */
export function coversScope(granted: readonly string[], asked: string): boolean {
  return granted.includes(asked) || granted.includes(asked.replace('read_', 'write_'));
}

/** The scopes, with the read scopes that write scopes imply. */
export function withImplied(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => [scope.replace('write_', 'read_'), scope]))];
}

/** A scope as the merchant reads it: `write_products` becomes `View and edit products`. */
export function describeScope(scope: string): string {
  const [, open, verb, subject = ''] = /^(unauthenticated_)?(read|write)_(.+)$/.exec(scope) ?? [];
  const words = `${verb === 'write' ? 'View and edit' : 'View'} ${subject.replaceAll('_', ' ')}`;
  return open ? `${words} on the online store` : words;
}
