import { createElement, useEffect } from 'react';
import type { ReactElement } from 'react';

import { APP_BRIDGE_PATH, CDN_ORIGIN, NAVIGATE_EVENT, POLARIS_URL } from '../../../core/vendor.js';
import { APP_REACT } from '../react-registration.js';

Reflect.set(globalThis, APP_REACT, createElement);

/** What the App Bridge script is loaded with. */
interface AppBridgeScriptProps {
  readonly apiKey: string;
  /** @default the platform's CDN */
  readonly src?: string | undefined;
}

/**
 * App Bridge for an embedded app. It has to run before every other script of the page.
 * @see https://shopify.dev/docs/api/app-bridge-library
 */
export function AppBridgeScript({ apiKey, src }: AppBridgeScriptProps): ReactElement {
  return <script src={src ?? CDN_ORIGIN + APP_BRIDGE_PATH} data-api-key={apiKey} />;
}

/**
 * The web components of Polaris.
 * @see https://shopify.dev/docs/api/app-home/polaris-web-components
 */
export function PolarisScript({ src }: { readonly src?: string | undefined }): ReactElement {
  return <script src={src ?? POLARIS_URL} />;
}

/**
 * Follows the admin's navigation within the app, without loading a page.
 * @param where App Bridge announces it
 */
export function useAdminNavigation(
  where: () => EventTarget,
  navigate: (path: string) => void,
): void {
  useEffect(() => {
    const target = where();
    const follow = (event: Event): void => {
      const path = (event.target as Partial<Element> | null)?.getAttribute?.('href');
      if (path) navigate(path);
    };
    target.addEventListener(NAVIGATE_EVENT, follow);
    return () => target.removeEventListener(NAVIGATE_EVENT, follow);
  }, [where, navigate]);
}

/** Where the Remix and the React Router package of the platform listen. */
export const onWindow = (): EventTarget => window;
export const onDocument = (): EventTarget => document;
