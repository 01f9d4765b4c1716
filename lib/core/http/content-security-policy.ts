/**
 * Says who may frame a page without losing what the app already says in its policy: `existing` with its own `frame-ancestors` replaced.
 * @param existing value of the `Content-Security-Policy` header so far; several policies are separated by commas
 */
export function withFrameAncestors(existing: string | null | undefined, frameAncestors: string): string {
  const kept = (existing ?? '').split(',').map(withoutFrameAncestors);
  return [...kept.filter((policy) => policy !== ''), frameAncestors].join(', ');
}

function withoutFrameAncestors(policy: string): string {
  const directives = policy.split(';').map((directive) => directive.trim());
  return directives.filter((directive) => directive !== '' && !/^frame-ancestors(?:\s|$)/i.test(directive)).join('; ');
}
