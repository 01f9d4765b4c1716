/** The platform's message about an id that is not a global one; undefined when it is one. */
export function globalIdProblem(value: unknown): string | undefined {
  const id = String(value);
  return GLOBAL_ID.test(id) ? undefined : `Invalid global id '${id}'`;
}

const GLOBAL_ID = /^gid:\/\/shopify\/\w+\/[^/\s]+$/;
