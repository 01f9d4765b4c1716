/** What an address of email looks like, as the platform takes it. */
export const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/;

/** What the number of a phone looks like. */
export const PHONE = /^\+?[\d\s().-]{7,20}$/;

/** What a language looks like, with its region or without: `pt-BR`. */
export const LOCALE = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;
