import { createContext, forwardRef, useContext, useEffect, useMemo, useState } from 'react';
import type {
  AnchorHTMLAttributes,
  ComponentType,
  ForwardRefExoticComponent,
  PropsWithoutRef,
  ReactElement,
  ReactNode,
  RefAttributes,
} from 'react';

import { nameHistoryByPage } from './proxy-history.js';
import { proxyUrl } from './proxy-url.js';
import { MissingProviderError } from './react.errors.js';

/** What links and forms know of the page around them. */
interface AppProxy {
  /** The storefront's, once the browser has told it. */
  readonly origin: string | undefined;
}

const AppProxyContext = /* @__PURE__ */ createContext<AppProxy | undefined>(undefined);

/** Props of {@link AppProxyProvider}. */
export interface AppProxyProviderProps {
  /** The app's own URL: its scripts and styles are loaded from there. */
  readonly appUrl: string;
  readonly children?: ReactNode;
}

/**
 * Lets a page of the app work below an app proxy: what the page loads comes from the app, and its
 * links and forms lead through the storefront.
 * @see https://shopify.dev/docs/apps/build/online-store/display-dynamic-data
 * @example
 * <AppProxyProvider appUrl={appUrl}>
 *   <AppProxyLink href="/apps/reviews/new">Write a review</AppProxyLink>
 * </AppProxyProvider>
 */
export function AppProxyProvider({ appUrl, children }: AppProxyProviderProps): ReactElement {
  const [origin, setOrigin] = useState<string>();
  // The server does not know under which domain the storefront shows the page, and what it renders
  // has to be what the browser renders first.
  useEffect(() => setOrigin(window.location.origin), []);
  useEffect(() => nameHistoryByPage(window), []);
  const proxy = useMemo(() => ({ origin }), [origin]);
  return (
    <AppProxyContext.Provider value={proxy}>
      <base href={appUrl} />
      {children}
    </AppProxyContext.Provider>
  );
}

/** Props of {@link AppProxyLink}. */
export interface AppProxyLinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  /** A path of the storefront, such as `/apps/reviews`, or an absolute URL. */
  readonly href: string;
}

/** An `<a>` within an {@link AppProxyProvider}. @throws {MissingProviderError} outside of one */
export const AppProxyLink: ForwardRefExoticComponent<
  AppProxyLinkProps & RefAttributes<HTMLAnchorElement>
> = /* @__PURE__ */ forwardRef<HTMLAnchorElement, AppProxyLinkProps>(function AppProxyLink(
  { href, ...props },
  ref,
) {
  const { origin } = useAppProxy('AppProxyLink');
  return <a {...props} href={proxyUrl(href, origin)} ref={ref} />;
});

/** As much of a router's form as the proxy's form needs. */
interface FormProps {
  readonly action?: string | undefined;
}

/** The form of an app proxy page, made of the one that the app's router has. */
export function createAppProxyForm<Props extends FormProps>(
  Form: ComponentType<Props & RefAttributes<HTMLFormElement>>,
): ForwardRefExoticComponent<PropsWithoutRef<Props> & RefAttributes<HTMLFormElement>> {
  return forwardRef<HTMLFormElement, Props>(function AppProxyForm(props, ref) {
    useAppProxy('AppProxyForm');
    return <Form {...(props as Props)} action={proxyUrl((props as Props).action)} ref={ref} />;
  });
}

function useAppProxy(component: string): AppProxy {
  const proxy = useContext(AppProxyContext);
  if (!proxy) throw new MissingProviderError(component);
  return proxy;
}
