import { PHONE } from '../nodes/contact-values.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { inputError, isBlank, tooLong } from '../nodes/user-errors.js';

/** Blanks that the platform takes out of addresses, wherever they stand; a tab is none of them. */
const BLANKS = /[ \u00A0\u2000-\u200D\u202F\u205F\u2060\u3000\uFEFF\u180E\u2800\u3164\0\n\v\r]/g;
const EMAIL = /^[^\s@\uFFFD]{1,128}@(?:[^\s@.\uFFFD]+\.)+\p{L}{2,}$/u;

/** Why a customer is refused that {@link isNobody}. */
export const NOBODY = 'A name, phone number, or email address must be present';

/** Whether fields of a customer name nobody: without a name, an email address or a number. */
export function isNobody(fields: Readonly<Record<string, unknown>>): boolean {
  return ['firstName', 'lastName', 'email', 'phone'].every((name) => isBlank(fields[name]));
}

/** Whether an address, as {@link cleanEmail} returns it, is one. */
export function isEmail(email: string): boolean {
  return EMAIL.test(email);
}

/** An address as it is kept: in small letters, without blanks. */
export function cleanEmail(email: string): string {
  return email.replace(BLANKS, '').toLowerCase();
}

/** A number as it is kept: of one with the code of its country, no more than the digits. */
export function cleanPhone(phone: string): string {
  const number = phone.trim();
  return number.startsWith('+') && PHONE.test(number) ? `+${number.replace(/\D/g, '')}` : number;
}

/** The email address and the phone number among some fields, as they are kept. */
export function cleanContacts<T extends Readonly<Record<string, unknown>>>(fields: T): T {
  const { email, phone } = fields;
  return {
    ...fields,
    ...(typeof email === 'string' ? { email: cleanEmail(email) } : {}),
    ...(typeof phone === 'string' ? { phone: cleanPhone(phone) } : {}),
  };
}

/**
 * Why the email address and the phone number of a customer are refused.
 * @param at the place of the fields in the input, with a dot at its end
 */
export function contactProblems(
  fields: Readonly<Record<string, unknown>>,
  at = '',
  codes: { readonly length?: string; readonly form?: string } = {},
): NodeError[] {
  return (['email', 'phone'] as const).flatMap((name) => {
    const text = cleanContacts(fields)[name];
    if (isBlank(text)) return [];
    const [label, pattern] = name === 'email' ? ['Email', EMAIL] : ['Phone', PHONE];
    return [
      ...tooLong(at + name, text, [label], codes.length),
      ...(pattern.test(String(text))
        ? []
        : [inputError(at + name, `${label} is invalid`, codes.form)]),
    ];
  });
}
