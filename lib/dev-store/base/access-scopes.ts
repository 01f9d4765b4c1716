const SCOPE = /^(unauthenticated_)?(read|write)_[a-z][a-z_]*$/;

/**
 * The scopes in a comma-separated list, without doubles and without reads that a write already
 * implies. Undefined when one is malformed.
 */
export function parseScopes(text: string): string[] | undefined {
  const scopes = [...new Set(text.split(',').map((scope) => scope.trim()))].filter(Boolean);
  if (!scopes.every((scope) => SCOPE.test(scope))) return undefined;
  return scopes.filter(
    (scope) => !scope.includes('read_') || !scopes.includes(scope.replace('read_', 'write_')),
  );
}

/** Whether the granted scopes cover one that is asked for; writing implies reading. */
export function coversScope(granted: readonly string[], asked: string): boolean {
  return granted.includes(asked) || granted.includes(asked.replace('read_', 'write_'));
}

/** The scopes with the reads that their writes imply. */
export function withImplied(scopes: readonly string[]): string[] {
  return [...new Set(scopes.flatMap((scope) => [scope.replace('write_', 'read_'), scope]))];
}

/** A scope in words a merchant understands: `write_products` becomes `View and edit products`. */
export function describeScope(scope: string): string {
  const [, open, verb, subject = ''] = /^(unauthenticated_)?(read|write)_(.+)$/.exec(scope) ?? [];
  const words = `${verb === 'write' ? 'View and edit' : 'View'} ${subject.replaceAll('_', ' ')}`;
  return open ? `${words} on the online store` : words;
}
