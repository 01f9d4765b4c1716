/** The packages of which the build takes what is used into our own files. */
export const JOINED: readonly string[];
