// The web components of Polaris that this app uses. An app of its own installs
// `@shopify/polaris-types`, which knows them all.
import type { HTMLAttributes, Key, ReactNode } from 'react';

interface Children extends Pick<HTMLAttributes<HTMLElement>, 'id' | 'slot'> {
  children?: ReactNode;
  key?: Key;
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      's-app-nav': Children;
      's-list-item': Children;
      's-page': Children & { heading?: string };
      's-paragraph': Children & { tone?: 'critical' };
      's-section': Children & { heading?: string };
      's-unordered-list': Children;
    }
  }
}
