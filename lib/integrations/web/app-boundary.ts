import { createRequire } from 'node:module';
import { join } from 'node:path';

import { isMarked } from '../../core/http/page-mark.js';
import { createBoundary } from './boundary.js';
import type { CreateElement } from './boundary.js';
import { APP_REACT } from './react-registration.js';
import { MissingReactError } from './web.errors.js';

/**
 * React as the app has it. Nothing but an error boundary needs it here, and what serves no pages
 * does not install it: it is looked for when the first element is made.
 * @throws {MissingReactError}
 */
function elementsOfApp(): CreateElement {
  const registered = Reflect.get(globalThis, APP_REACT) as CreateElement | undefined;
  if (registered) return registered;
  let cause: unknown;
  for (const path of [join(process.cwd(), 'app.js'), process.argv[1]]) {
    if (path === undefined) continue;
    try {
      const react = createRequire(path)('react') as { readonly createElement: CreateElement };
      return react.createElement;
    } catch (error) {
      cause = error;
    }
  }
  throw new MissingReactError(cause);
}

/** For the layout routes of an app, see {@link createBoundary}. */
export const boundary = createBoundary(elementsOfApp, isMarked);
