import { capital } from '../../base/text-values.js';
import type { NodeFields } from '../../state/nodes/node-store.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import type { NodeWriter } from '../nodes/node-writer.js';
import { InputError, type Check } from '../nodes/refusals.js';
import { inputError, isBlank, tooLong } from '../nodes/user-errors.js';
import { cleanContacts, contactProblems, isNobody, NOBODY } from './contact-values.js';

type Input = Readonly<Record<string, unknown>>;

/** The consents that a customer gives, with the address that each is about. */
const CONSENTS = [
  ['emailMarketingConsent', 'email', 'Email', 'An email address'],
  ['smsMarketingConsent', 'phone', 'Sms', 'A phone number'],
] as const;

/** States of consent that nobody can be brought into. */
export const REFUSED_STATES: ReadonlySet<unknown> = new Set([
  'INVALID',
  'NOT_SUBSCRIBED',
  'REDACTED',
]);

/**
 * What the input of a customer is refused for beyond what its nodes are.
 * @see https://shopify.dev/docs/api/admin-graphql/latest/mutations/customerCreate
 */
export function customerChecks({ reader }: NodeWriter): Record<string, Check<never>> {
  const { nodes } = reader.store;
  const create: Check<{ input: Input }> = ({ input }) => {
    if (input['id'] != null) return [inputError('id', 'Cannot specify ID on creation')];
    for (const [name] of CONSENTS) {
      const { marketingState } = Object(input[name] ?? {}) as NodeFields;
      if (marketingState !== 'NOT_SUBSCRIBED' && REFUSED_STATES.has(marketingState))
        throw unspecifiable(marketingState);
    }
    const consents = CONSENTS.flatMap(([name, address, , words]) =>
      input[name] != null && isBlank(input[address])
        ? [inputError(name, `${words} is required to set the ${STATES[name]} consent state.`)]
        : [],
    );
    return [...consents, ...texts(input), ...addresses(input, '')];
  };
  const update: Check<{ input: Input }> = ({ input }) => {
    const instead = CONSENTS.flatMap(([name, , kind]) =>
      input[name] == null
        ? []
        : [
            inputError(
              name,
              `To update ${name}, please use the customer${kind}MarketingConsentUpdate Mutation instead`,
            ),
          ],
    );
    if (instead.length > 0) return instead;
    if (nodes.find(String(input['id']))?.type !== 'Customer')
      return [inputError('id', 'Customer does not exist')];
    return [...texts(input), ...addresses(input, '')];
  };
  const set: Check<{ input: Input; identifier?: Input | null }> = ({ input, identifier }) => {
    const [name, wanted] =
      Object.entries(identifier ?? {}).find(([, value]) => value != null) ?? [];
    if (name === 'customId')
      throw new InputError(
        "Metafield definition of type 'id' is required when using custom ids.",
        'NOT_FOUND',
      );
    if (name === 'id' && nodes.find(String(wanted))?.type !== 'Customer')
      return [inputError('input', 'Resource matching the identifier was not found.', 'NOT_FOUND')];
    if (name !== undefined && name !== 'id' && input[name] == null)
      return [inputError('input', IDENTIFIER_REQUIRED, 'MISSING_FIELD_REQUIRED')];
    if (name !== undefined && name !== 'id' && input[name] !== wanted)
      return [inputError('input', IDENTIFIER_OTHER, 'INPUT_MISMATCH')];
    if (name === undefined && isNobody(input)) return [inputError('input', NOBODY, 'INVALID')];
    if (input['taxExempt'] === null)
      return [
        inputError('input.taxExempt', 'Tax exempt is of unexpected type NilClass', 'INVALID'),
      ];
    const taken = identifier == null ? ['email', 'phone'] : [];
    const others = taken.flatMap((field) => {
      const value = cleanContacts(input)[field];
      const isTaken = nodes.all(['Customer']).some(({ fields }) => fields[field] === value);
      return !isBlank(value) && isTaken
        ? [inputError(`input.${field}`, `${capital(field)} has already been taken`, 'TAKEN')]
        : [];
    });
    const codes = { length: 'TOO_LONG', form: 'INVALID' };
    return [...contactProblems(input, 'input.', codes), ...others, ...texts(input, 'input.')];
  };
  return { customerCreate: create, customerUpdate: update, customerSet: set } as Record<
    string,
    Check<never>
  >;
}

const STATES = { emailMarketingConsent: 'email', smsMarketingConsent: 'SMS' } as const;
const IDENTIFIER_REQUIRED = 'The input field corresponding to the identifier is required.';
const IDENTIFIER_OTHER =
  'The identifier value does not match the value of the corresponding field in the input.';

/** The error of a call that brings a customer into a state that is none to choose. */
export function unspecifiable(state: unknown): InputError {
  return new InputError(`Cannot specify ${String(state)} as a marketing state input`, 'INVALID');
}

const LONGEST_TAG = 255;
/** How many tags a customer has at the most. */
export const MOST_TAGS = 250;

function texts(input: Input, at = ''): NodeError[] {
  const tags = [input['tags'] ?? []].flat().flatMap((tag) => String(tag).split(','));
  return [
    ...tooLong(`${at}firstName`, input['firstName'], ['First name']),
    ...tooLong(`${at}lastName`, input['lastName'], ['Last name']),
    ...tooLong(`${at}note`, input['note'], ['Note', 5000]),
    ...(tags.length > MOST_TAGS
      ? [inputError(`${at}tags`, `Tags cannot be more than ${MOST_TAGS}`)]
      : []),
    ...(tags.some((tag) => tag.length > LONGEST_TAG)
      ? [inputError(`${at}tags`, `Tags is too long (maximum is ${LONGEST_TAG} characters)`)]
      : []),
  ];
}

function addresses(input: Input, at: string): NodeError[] {
  const list = Array.isArray(input['addresses']) ? (input['addresses'] as Input[]) : [];
  return list.flatMap((address, index) => {
    const place = `${at}addresses.${index}`;
    if (Object.values(address).every(isBlank))
      return [inputError(place, 'Customer address cannot be blank.')];
    return addressProblems(address, `${place}.`);
  });
}

/** The texts of an address, with what the platform calls them. */
const ADDRESS_TEXTS = {
  address1: 'Address1',
  address2: 'Address2',
  city: 'City',
  company: 'Company',
  firstName: 'First name',
  lastName: 'Last name',
  phone: 'Phone',
  zip: 'Zip',
} as const;

const FORBIDDEN = [
  [/<[^<>]*>/, 'HTML tags'],
  [/https?:\/\//i, 'URL'],
  [/\p{Extended_Pictographic}/u, 'emojis'],
] as const;

/** What an address is refused for. @param at the place of the address, with a dot at its end */
export function addressProblems(address: Input, at: string): NodeError[] {
  return Object.entries(ADDRESS_TEXTS).flatMap(([name, label]) => {
    const text = address[name];
    if (typeof text !== 'string') return [];
    const found = FORBIDDEN.filter(([pattern]) => pattern.test(text));
    return [
      ...tooLong(`${at}${name}`, text, [label]),
      ...found.map(([, what]) => inputError(`${at}${name}`, `${label} cannot contain ${what}`)),
    ];
  });
}
