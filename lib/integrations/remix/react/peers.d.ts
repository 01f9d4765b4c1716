// As much of two optional peers as the components use. They are not installed here: both ask for
// React 18, and one is larger than everything else. The package test compiles apps against them.

declare module '@shopify/polaris' {
  import type { ComponentClass, ComponentType, HTMLProps, ReactNode } from 'react';

  export interface AppProviderProps {
    i18n: object | object[];
    linkComponent?: ComponentType<
      HTMLProps<HTMLAnchorElement> & {
        url: string;
        external?: boolean;
        // The rest of what a component of Polaris was given.
        to?: string;
      }
    >;
    children?: ReactNode;
  }
  export const AppProvider: ComponentClass<AppProviderProps>;
}

declare module '@shopify/polaris/locales/en.json' {
  const texts: object;
  export default texts;
}

declare module '@remix-run/react' {
  export { Form, Link, useNavigate } from 'react-router';
}
