import { createContext, forwardRef, useContext, useEffect, useMemo, useState } from 'react';
import type {
  AnchorHTMLAttributes,
  ComponentType,
  Context,
  DetailedHTMLProps,
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
export interface AppProxyProviderContextProps {
  /** The app's own URL. */
  readonly appUrl: string;
  /** The address of the page in the storefront as it was loaded; undefined on the server. */
  readonly requestUrl: URL | undefined;
  /**
   * An address as the storefront needs it: a path gets the slash at its end.
   * @param addOrigin false for the action of a router's form, which takes paths. @default true
   */
  readonly formatUrl: (url: string | undefined, addOrigin?: boolean) => string | undefined;
}

/**
 * Of the {@link AppProxyProvider} around a component, for links and forms of the app's own; `null`
 * outside of one.
 */
export const AppProxyProviderContext: Context<AppProxyProviderContextProps | null> =
  /* @__PURE__ */ createContext<AppProxyProviderContextProps | null>(null);

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
  const [requestUrl, setRequestUrl] = useState<URL>();
  // The server does not know under which domain the storefront shows the page, and what it renders
  // has to be what the browser renders first.
  useEffect(() => setRequestUrl(new URL(window.location.href)), []);
  useEffect(() => nameHistoryByPage(window), []);
  const proxy = useMemo(
    () => ({ appUrl, requestUrl, formatUrl: formatUrlFor(requestUrl) }),
    [appUrl, requestUrl],
  );
  return (
    <AppProxyProviderContext.Provider value={proxy}>
      <base href={appUrl} />
      {children}
    </AppProxyProviderContext.Provider>
  );
}

/** Makes the addresses on a page of the storefront, or on one that knows no address of its own. */
export function formatUrlFor(page: URL | undefined): AppProxyProviderContextProps['formatUrl'] {
  return (url, addOrigin = true) => proxyUrl(url, addOrigin ? page?.origin : undefined);
}

/** Props of {@link AppProxyLink}. */
export interface AppProxyLinkProps extends DetailedHTMLProps<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  HTMLAnchorElement
> {
  /** A path of the storefront, such as `/apps/reviews`, or an absolute URL. */
  readonly href: string;
}

/** An `<a>` within an {@link AppProxyProvider}. @throws {MissingProviderError} outside of one */
export const AppProxyLink: ForwardRefExoticComponent<
  PropsWithoutRef<AppProxyLinkProps> & RefAttributes<HTMLAnchorElement>
> = /* @__PURE__ */ forwardRef<HTMLAnchorElement, AppProxyLinkProps>(function AppProxyLink(
  { href, ...props },
  ref,
) {
  const { formatUrl } = useAppProxy('AppProxyLink');
  return <a {...props} href={formatUrl(href)} ref={ref} />;
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
    const { formatUrl } = useAppProxy('AppProxyForm');
    return (
      <Form {...(props as Props)} action={formatUrl((props as Props).action, false)} ref={ref} />
    );
  });
}

function useAppProxy(component: string): AppProxyProviderContextProps {
  const proxy = useContext(AppProxyProviderContext);
  if (!proxy) throw new MissingProviderError(component);
  return proxy;
}
