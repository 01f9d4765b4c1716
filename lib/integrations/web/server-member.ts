import { ServerOnlyError } from './web.errors.js';

/** Throws a {@link ServerOnlyError}, whether it is called or constructed. */
type ServerMember = ((...args: readonly unknown[]) => never) &
  (new (...args: readonly unknown[]) => never);

/** Stands in browsers for a function or a class that needs a server. @param name of the export */
export function serverMember(name: string): ServerMember {
  return function () {
    throw new ServerOnlyError(name);
  } as unknown as ServerMember;
}
