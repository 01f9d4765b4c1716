/**
 * Where the components leave the `createElement` of the React they run with, for the boundary: a
 * server that is bundled has no packages to look for it in. A global name, because components and
 * boundary are files of their own in an app's bundle.
 */
export const APP_REACT = Symbol.for('shopwright:REACT_CREATE_ELEMENT');
