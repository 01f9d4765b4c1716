import { PlatformError } from '../../core/core.errors.js';

/**
 * `boundary.error()` has to make a React element, and found no React.
 * @remedy Install react where the app starts, or render the `AppProvider` of the package.
 */
export class MissingReactError extends PlatformError {
  readonly code = 'ERR_REACT_MISSING';

  constructor(cause?: unknown) {
    super(
      'boundary.error() makes a React element, and React was not found. Install react where the app starts, or render the AppProvider of the same package, which brings the React that the app is bundled with.',
      { cause },
    );
  }
}

/**
 * What needs a server was called, or constructed, in a browser.
 * @remedy Import the module in loaders, actions and `*.server.ts` alone.
 */
export class ServerOnlyError extends PlatformError {
  readonly code = 'ERR_SERVER_ONLY';

  /** @param member the name of the export */
  constructor(member: string) {
    super(
      `${member} needs a server, and was called in a browser: a module that calls it is part of the bundle for browsers. Let only loaders, actions and modules called *.server.ts import that module.`,
    );
  }
}
