import { phrase } from '../../base/text-values.js';
import type { NodeFields, NodeStore, StoredNode } from '../../state/nodes/node-store.js';
import { EMAIL, LOCALE, PHONE } from '../nodes/contact-values.js';
import type { NodeError } from '../nodes/mutation-shape.js';
import { isBlank, userError } from '../nodes/user-errors.js';

type Fields = Readonly<NodeFields>;
type Path = readonly string[];

/** What the path of an error begins with, and which node is changed; none while it is created. */
interface Place {
  readonly path: Path;
  readonly id?: string | undefined;
}

const EXTERNAL_ID = /^[\w!@#$%^&*(){}[\]\\/?<>~,.;:'`"-]*$/;
const MARKUP = /<[^<>]*>/;

/** Why the fields of a company, or of one of its locations, are refused. */
export function companyErrors(
  nodes: NodeStore,
  type: 'Company' | 'CompanyLocation',
  input: Fields,
  { path, id }: Place,
): NodeError[] {
  const errors: NodeError[] = [];
  const add = (field: string, message: string, code: string): number =>
    errors.push(userError([...path, field], message, code));
  const { name, note, externalId } = input;
  const isNamed = type === 'CompanyLocation' || (id !== undefined && !('name' in input));
  if (!isNamed && isBlank(name)) add('name', "Name can't be blank", 'BLANK');
  if (String(name ?? '').length > 255)
    add('name', 'Name is too long (maximum is 255 characters)', 'TOO_LONG');
  if (String(note ?? '').length > 5000)
    add('notes', 'Notes is too long (maximum is 5000 characters)', 'TOO_LONG');
  if (typeof externalId !== 'string') return errors;
  const isTaken = (one: StoredNode): boolean =>
    one.id !== id && one.fields['externalId'] === externalId;
  if (externalId.length > 64)
    add('externalId', 'External Id must be 64 characters or less.', 'TOO_LONG');
  else if (!EXTERNAL_ID.test(externalId))
    add(
      'externalId',
      'External Id can only contain numbers, letters, and some special characters, including !@#$%^&*(){}[]\\/?<>_-~,.;:\'`"',
      'INVALID',
    );
  else if (nodes.all([type]).some(isTaken))
    add('externalId', 'External id has already been taken.', 'TAKEN');
  return errors;
}

/** Why the location of a company is refused besides: its addresses and its taxes. */
export function locationErrors(nodes: NodeStore, input: Fields, path: Path): NodeError[] {
  const { billingSameAsShipping, billingAddress, shippingAddress } = input;
  const refused = (field: string): NodeError =>
    userError([...path, field], 'Invalid input.', 'INVALID_INPUT');
  if (billingSameAsShipping === true && billingAddress) return [refused('billingAddress')];
  if (input['taxExempt'] === null) return [refused('taxExempt')];
  return [
    ...companyErrors(nodes, 'CompanyLocation', input, { path }),
    ...addressErrors(shippingAddress, [...path, 'shippingAddress']),
    ...addressErrors(billingAddress, [...path, 'billingAddress']),
  ];
}

const US =
  'AL AK AS AZ AR CA CO CT DE DC FM FL GA GU HI ID IL IN IA KS KY LA ME MH MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND MP OH OK OR PW PA PR RI SC SD TN TX UT VT VI VA WA WV WI WY AA AE AP';

/** What the addresses of a country look like, where they are checked. */
const COUNTRIES: Readonly<Record<string, { readonly zones: string; readonly zip: RegExp }>> = {
  US: { zones: US, zip: /^\d{5}(?:-\d{4})?$/ },
  CA: {
    zones: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
    zip: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i,
  },
};

const TEXTS = 'address1 address2 city recipient firstName lastName'.split(' ');

/** Why an address of a company is refused. */
export function addressErrors(address: unknown, path: Path): NodeError[] {
  const given = Object(address) as Fields;
  const { countryCode, zoneCode, zip } = given;
  const known = COUNTRIES[String(countryCode)];
  const wrong = TEXTS.filter((name) => hasMarks(String(given[name] ?? '')));
  if (known && !isBlank(zip) && !known.zip.test(String(zip))) wrong.unshift('zip');
  if (known && !isBlank(zoneCode) && !known.zones.split(' ').includes(String(zoneCode)))
    wrong.unshift('zoneCode');
  if (countryCode === 'ZZ') wrong.unshift('countryCode');
  return wrong.map((name) => userError([...path, name], `${phrase(name)} is invalid`, 'INVALID'));
}

/** Whether a text has markup, pictures or an address of the web in it. */
function hasMarks(text: string): boolean {
  return MARKUP.test(text) || /\p{Extended_Pictographic}|https?:\/\/|www\./u.test(text);
}

/** The customer that an address of email stands for. */
export function customerOf(nodes: NodeStore, email: unknown): StoredNode | undefined {
  const wanted = String(email).toLowerCase();
  return nodes.all(['Customer']).find(({ fields }) => fields['email'] === wanted);
}

/** Why a contact of a company is refused. @param company the id of the company */
export function contactErrors(
  nodes: NodeStore,
  company: string,
  input: Fields,
  { path, id }: Place,
): NodeError[] {
  const { email, phone, locale } = input;
  const at = (name: string, message: string, code = 'INVALID'): NodeError[] => [
    userError([...path, name], message, code),
  ];
  const nulls = id === undefined ? [] : nullErrors(input, path);
  if (nulls.length > 0) return nulls;
  if (id === undefined && isBlank(email)) {
    const message = 'Either the attribute email or customer_id must be provided';
    return [userError(path, message, 'INVALID')];
  }
  if (!isBlank(email) && !EMAIL.test(String(email)))
    return at('email', id === undefined ? 'Email is invalid' : 'Email address is invalid');
  if (['firstName', 'lastName'].some((name) => MARKUP.test(String(input[name] ?? ''))))
    return [userError(path, 'Invalid input.', 'INVALID_INPUT')];
  if (!isBlank(phone) && !PHONE.test(String(phone))) return at('phone', 'Phone is invalid');
  if (!isBlank(locale) && !LOCALE.test(String(locale)))
    return at('locale', 'Invalid locale format.');
  const others = nodes
    .naming(company, ['CompanyContact'])
    .filter((one) => one.id !== id)
    .map(({ fields }) => nodes.fieldsOf(String(fields['customer'])));
  if (!isBlank(email) && others.some((one) => one['email'] === String(email).toLowerCase()))
    return at('email', 'Email address has already been taken.', 'TAKEN');
  if (!isBlank(phone) && others.some((one) => isSamePhone(one['phone'], phone)))
    return at('phone', 'Phone number has already been taken.', 'TAKEN');
  return [];
}

/** What an update cannot take away from a contact. */
function nullErrors(input: Fields, path: Path): NodeError[] {
  const errors = ['firstName', 'lastName', 'phone']
    .filter((name) => input[name] === null)
    .map((name) => {
      const message = `${phrase(name)} is of unexpected type NilClass`;
      return userError([...path, name], message, 'UNEXPECTED_TYPE');
    });
  if (input['phone'] === null)
    errors.push(userError([...path, 'phone'], 'Phone is invalid', 'INVALID'));
  if (input['email'] === null)
    errors.push(userError(path, 'Unexpected keys given: email', 'INVALID'));
  return errors;
}

/** Whether two numbers are the same, with the code of a country or without. */
function isSamePhone(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((number) => String(number ?? '').replace(/\D/g, ''));
  return Boolean(a && b) && (String(a).endsWith(String(b)) || String(b).endsWith(String(a)));
}

/** A text without markup. */
export function plainText(text: unknown): string {
  return String(text ?? '')
    .replace(/<[^<>]*>/g, '')
    .trim();
}
