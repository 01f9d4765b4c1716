import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DevStore } from '../../../../lib/dev-store/index.js';
import { openStore, type Call, type Data } from '../custom-data.fixture.js';

// The refusals are those of the platform, with their words.

const USER_ERRORS = 'userErrors { field message code }';
const gone = 'Resource requested does not exist.';
const COMPANY = `id name note externalId contactsCount { count } locationsCount { count }
  mainContact { id title isMainContact locale customer { email firstName }
    roleAssignments(first: 5) { nodes { id role { name } companyLocation { id } } } }
  contacts(first: 5) { nodes { id title isMainContact } }
  locations(first: 5) { nodes { id name externalId billingAddress { id address1 } } }
  contactRoles(first: 5) { nodes { id name } }`;

describe('companies', () => {
  let devStore: DevStore;
  let call: Call;
  let number = 0;
  let company: Data;

  beforeAll(async () => {
    const opened = await openStore({ limits: { graphql: 'off' } });
    devStore = opened.devStore;
    call = opened.call('own', 'write_customers,write_orders,write_draft_orders');
  });
  afterAll(() => devStore.close());
  beforeEach(async () => {
    const name = `Snowdevil ${++number}`;
    company = (
      await create({
        company: { name, note: 'of the north', externalId: `snow-${number}` },
        companyContact: { firstName: 'Ada', email: `ada${number}@example.com`, title: 'Buyer' },
        companyLocation: {
          name: 'Headquarters',
          billingAddress: { address1: '1 Way', countryCode: 'CA' },
        },
      })
    ).company;
  });

  const run = async (
    field: string,
    declared: string,
    result: string,
    variables: Record<string, unknown>,
  ): Promise<Data> => {
    const names = [...declared.matchAll(/\$(\w+)/g)].map(([, name]) => `${name}: $${name}`);
    const { data, errors } = await call(
      `mutation (${declared}) { ${field}(${names.join(', ')}) { ${result} ${USER_ERRORS} } }`,
      variables,
    );
    expect(errors).toBeUndefined();
    return data[field];
  };
  const create = (input: object) =>
    run('companyCreate', '$input: CompanyCreateInput!', `company { ${COMPANY} }`, { input });
  const update = (companyId: string, input: object) =>
    run('companyUpdate', '$companyId: ID!, $input: CompanyInput!', 'company { id name }', {
      companyId,
      input,
    });
  const addContact = (companyId: string, input: object) =>
    run(
      'companyContactCreate',
      '$companyId: ID!, $input: CompanyContactInput!',
      'companyContact { id title isMainContact company { id } }',
      { companyId, input },
    );
  const updateContact = (companyContactId: string, input: object) =>
    run(
      'companyContactUpdate',
      '$companyContactId: ID!, $input: CompanyContactInput!',
      'companyContact { customer { email } }',
      { companyContactId, input },
    );
  const addLocation = (companyId: string, input: object) =>
    run(
      'companyLocationCreate',
      '$companyId: ID!, $input: CompanyLocationInput!',
      'companyLocation { id name locale billingAddress { id address1 } shippingAddress { id address1 } }',
      { companyId, input },
    );
  const refusal = (field: string[] | null, message: string, code: string) => [
    { field, message, code },
  ];

  it('come with roles, a location and a main contact who may order there', () => {
    expect(company).toMatchObject({
      name: `Snowdevil ${number}`,
      contactsCount: { count: 1 },
      locationsCount: { count: 1 },
      mainContact: {
        title: 'Buyer',
        isMainContact: true,
        locale: 'en',
        customer: { email: `ada${number}@example.com`, firstName: 'Ada' },
      },
      locations: { nodes: [{ name: 'Headquarters', billingAddress: { address1: '1 Way' } }] },
      contactRoles: { nodes: [{ name: 'Location admin' }, { name: 'Ordering only' }] },
    });
    expect(company.mainContact.roleAssignments.nodes).toMatchObject([
      { role: { name: 'Ordering only' }, companyLocation: { id: company.locations.nodes[0].id } },
    ]);
  });

  it('keep the name and the phone of a contact', async () => {
    const input = { firstName: null, lastName: null, phone: null, email: null, title: null };
    const at = (name: string, words: string) =>
      refusal(['input', name], `${words} is of unexpected type NilClass`, 'UNEXPECTED_TYPE');
    const updated = await run(
      'companyContactUpdate',
      '$companyContactId: ID!, $input: CompanyContactInput!',
      'companyContact { id }',
      { companyContactId: company.mainContact.id, input },
    );
    expect(updated).toEqual({
      companyContact: null,
      userErrors: [
        ...at('firstName', 'First name'),
        ...at('lastName', 'Last name'),
        ...at('phone', 'Phone'),
        ...refusal(['input', 'phone'], 'Phone is invalid', 'INVALID'),
        ...refusal(['input'], 'Unexpected keys given: email', 'INVALID'),
      ],
    });
  });

  it('have a location that is called like them when none is given', async () => {
    const { company: bare } = await create({ company: { name: 'Bare' } });
    expect(bare).toMatchObject({ mainContact: null, locations: { nodes: [{ name: 'Bare' }] } });
    const { companyLocation } = await addLocation(bare.id, {
      shippingAddress: { address1: '123 Main', countryCode: 'CA' },
    });
    expect(companyLocation).toMatchObject({
      name: '123 Main',
      locale: 'en',
      billingAddress: null,
    });
    const { company: placed } = await create({
      company: { name: 'Placed' },
      companyLocation: { shippingAddress: { address1: '1 Way', countryCode: 'CA' } },
    });
    expect(placed.locations.nodes).toMatchObject([{ name: 'Placed' }]);
  });

  it.each([
    [{ company: { name: '' } }, ['company', 'name'], "Name can't be blank", 'BLANK'],
    [
      { company: { name: 'x'.repeat(256) } },
      ['company', 'name'],
      'Name is too long (maximum is 255 characters)',
      'TOO_LONG',
    ],
    [
      { company: { name: 'A', note: 'n'.repeat(5001) } },
      ['company', 'notes'],
      'Notes is too long (maximum is 5000 characters)',
      'TOO_LONG',
    ],
    [
      { company: { name: 'A', externalId: 'x'.repeat(65) } },
      ['company', 'externalId'],
      'External Id must be 64 characters or less.',
      'TOO_LONG',
    ],
    [
      { company: { name: 'A', externalId: 'bad id' } },
      ['company', 'externalId'],
      'External Id can only contain numbers, letters, and some special characters, including !@#$%^&*(){}[]\\/?<>_-~,.;:\'`"',
      'INVALID',
    ],
    [
      { company: { name: 'A', externalId: 'snow-1' } },
      ['company', 'externalId'],
      'External id has already been taken.',
      'TAKEN',
    ],
    [
      { company: { name: 'A' }, companyContact: { email: 'not-an-email' } },
      ['companyContact', 'email'],
      'Email is invalid',
      'INVALID',
    ],
    [
      { company: { name: 'A' }, companyLocation: { name: 'HQ', taxExempt: null } },
      ['companyLocation', 'taxExempt'],
      'Invalid input.',
      'INVALID_INPUT',
    ],
    [
      {
        company: { name: 'A' },
        companyLocation: {
          billingSameAsShipping: true,
          shippingAddress: { address1: 'Ship St' },
          billingAddress: { address1: 'Bill St' },
        },
      },
      ['companyLocation', 'billingAddress'],
      'Invalid input.',
      'INVALID_INPUT',
    ],
  ])('are refused: %j', async (input, field, message, code) => {
    expect(await create(input)).toEqual({
      company: null,
      userErrors: refusal(['input', ...field], message, code),
    });
  });

  it('change but for the day since when they are customers', async () => {
    expect((await update(company.id, { name: 'Powderbound' })).company.name).toBe('Powderbound');
    expect((await update(company.id, {})).userErrors).toEqual(
      refusal(['input'], 'At least one attribute to change must be present', 'INVALID'),
    );
    expect((await update(company.id, { customerSince: null, name: 'Lost' })).userErrors).toEqual(
      refusal(
        ['input', 'customerSince'],
        'This field may only be set on creation.',
        'INVALID_INPUT',
      ),
    );
    expect((await update('gid://shopify/Company/9', { name: 'B' })).userErrors).toEqual(
      refusal(['companyId'], gone, 'RESOURCE_NOT_FOUND'),
    );
  });

  it.each([
    [{}, null, 'Company contact create input is empty.', 'NO_INPUT'],
    [
      { email: null },
      ['input'],
      'Either the attribute email or customer_id must be provided',
      'INVALID',
    ],
    [{ email: 'not-an-email' }, ['input', 'email'], 'Email is invalid', 'INVALID'],
    [
      { email: 'jane@example.com', firstName: '<b>Jane</b>' },
      ['input'],
      'Invalid input.',
      'INVALID_INPUT',
    ],
    [
      { email: 'jane@example.com', phone: 'not-a-phone' },
      ['input', 'phone'],
      'Phone is invalid',
      'INVALID',
    ],
    [
      { email: 'jane@example.com', locale: 'not_a_locale' },
      ['input', 'locale'],
      'Invalid locale format.',
      'INVALID',
    ],
  ])('refuse contacts: %j', async (input, field, message, code) => {
    expect((await addContact(company.id, input)).userErrors).toEqual(refusal(field, message, code));
  });

  it('have contacts whose email no other customer has', async () => {
    const { id } = company.mainContact;
    await call(`mutation { customerCreate(input: { email: "kit${number}@example.com" }) {
      customer { id } } }`);
    expect(await updateContact(id, { email: `KIT${number}@example.com` })).toEqual({
      companyContact: null,
      userErrors: refusal(['input', 'email'], 'Email address has already been taken.', 'TAKEN'),
    });
    expect(await updateContact(id, { email: `ADA${number}@Example.com` })).toEqual({
      companyContact: { customer: { email: `ada${number}@example.com` } },
      userErrors: [],
    });
  });

  it('refuse a contact whose address or number another has', async () => {
    await addContact(company.id, { email: 'bea@example.com', phone: '(415) 419-7290' });
    expect((await addContact(company.id, { email: 'BEA@example.com' })).userErrors).toEqual(
      refusal(['input', 'email'], 'Email address has already been taken.', 'TAKEN'),
    );
    const other = { email: 'cy@example.com', phone: '+14154197290' };
    expect((await addContact(company.id, other)).userErrors).toEqual(
      refusal(['input', 'phone'], 'Phone number has already been taken.', 'TAKEN'),
    );
  });

  it('have one main contact, or none', async () => {
    const { companyContact } = await addContact(company.id, { email: `bo${number}@example.com` });
    expect(companyContact.isMainContact).toBe(false);
    const assigned = await run(
      'companyAssignMainContact',
      '$companyId: ID!, $companyContactId: ID!',
      'company { mainContact { id isMainContact } contacts(first: 5) { nodes { isMainContact } } }',
      { companyId: company.id, companyContactId: companyContact.id },
    );
    expect(assigned.company.mainContact).toEqual({ id: companyContact.id, isMainContact: true });
    expect(assigned.company.contacts.nodes).toEqual([
      { isMainContact: false },
      { isMainContact: true },
    ]);
    const revoked = await run(
      'companyRevokeMainContact',
      '$companyId: ID!',
      'company { mainContact { id } }',
      { companyId: company.id },
    );
    expect(revoked).toEqual({ company: { mainContact: null }, userErrors: [] });
  });

  it('make customers with an address their contacts, once', async () => {
    const { data } = await call(
      `mutation ($email: String!, $phone: String!) {
        known: customerCreate(input: { email: $email }) { customer { id } }
        silent: customerCreate(input: { phone: $phone }) { customer { id } } }`,
      { email: `kay${number}@example.com`, phone: `+1613945${1000 + number}` },
    );
    const assign = (customerId: string) =>
      run(
        'companyAssignCustomerAsContact',
        '$companyId: ID!, $customerId: ID!',
        'companyContact { id title customer { id companyContactProfiles { id } } company { id } }',
        { companyId: company.id, customerId },
      );
    const { id } = data.known.customer;
    const { companyContact } = await assign(id);
    expect(companyContact).toMatchObject({
      title: null,
      customer: { id, companyContactProfiles: [{ id: companyContact.id }] },
    });
    expect((await assign(id)).userErrors).toEqual(
      refusal(
        ['companyId'],
        'Customer is already associated with a company contact.',
        'INVALID_INPUT',
      ),
    );
    expect((await assign(data.silent.customer.id)).userErrors).toEqual(
      refusal(['companyId'], 'Customer must have an email address.', 'INVALID_INPUT'),
    );
    expect((await assign('gid://shopify/Customer/9')).userErrors).toEqual(
      refusal(['customerId'], 'Customer does not exist.', 'RESOURCE_NOT_FOUND'),
    );
  });

  it('refuse roles twice in a location, and those of others', async () => {
    const assign = (companyContactRoleId: string, companyLocationId: string) =>
      run(
        'companyContactAssignRole',
        '$companyContactId: ID!, $companyContactRoleId: ID!, $companyLocationId: ID!',
        'companyContactRoleAssignment { id role { name } }',
        { companyContactId: company.mainContact.id, companyContactRoleId, companyLocationId },
      );
    const [admin] = company.contactRoles.nodes;
    const [place] = company.locations.nodes;
    const twice = 'Company contact has already been assigned a role in that company location.';
    expect((await assign(admin.id, place.id)).userErrors).toEqual(
      refusal(null, twice, 'LIMIT_REACHED'),
    );
    const { company: foreign } = await create({ company: { name: 'Foreign' } });
    expect((await assign(foreign.contactRoles.nodes[0].id, place.id)).userErrors).toEqual(
      refusal(
        ['companyContactRoleId'],
        "The company contact role doesn't exist.",
        'RESOURCE_NOT_FOUND',
      ),
    );
    expect((await assign(admin.id, foreign.locations.nodes[0].id)).userErrors).toEqual(
      refusal(['companyLocationId'], "The company location doesn't exist.", 'RESOURCE_NOT_FOUND'),
    );
    const { companyLocation } = await addLocation(company.id, { name: 'Second' });
    const roles = await run(
      'companyContactAssignRoles',
      '$companyContactId: ID!, $rolesToAssign: [CompanyContactRoleAssign!]!',
      'roleAssignments { id companyLocation { name } }',
      {
        companyContactId: company.mainContact.id,
        rolesToAssign: [
          { companyContactRoleId: admin.id, companyLocationId: place.id },
          { companyContactRoleId: admin.id, companyLocationId: companyLocation.id },
          {
            companyContactRoleId: 'gid://shopify/CompanyContactRole/9',
            companyLocationId: place.id,
          },
        ],
      },
    );
    expect(roles.roleAssignments).toMatchObject([{ companyLocation: { name: 'Second' } }]);
    expect(roles.userErrors).toEqual([
      ...refusal(['rolesToAssign', '0'], twice, 'LIMIT_REACHED'),
      ...refusal(['rolesToAssign', '2', 'companyContactRoleId'], gone, 'RESOURCE_NOT_FOUND'),
    ]);
  });

  it('tell by their index which of several is not there', async () => {
    const contact = 'gid://shopify/CompanyContact/9';
    const [role] = company.contactRoles.nodes;
    const [location] = company.locations.nodes;
    const { data } = await call(
      `mutation ($company: ID!, $contact: ID!, $location: ID!, $role: ID!, $mine: ID!) {
        companyLocationAssignRoles(companyLocationId: $location, rolesToAssign: [
          { companyContactId: $contact, companyContactRoleId: $role }
        ]) { roleAssignments { id } ${USER_ERRORS} }
        companyContactRevokeRoles(companyContactId: $mine, roleAssignmentIds: [$role]) {
          revokedRoleAssignmentIds ${USER_ERRORS} }
        companyLocationRevokeRoles(companyLocationId: $location, rolesToRevoke: [$role]) {
          revokedRoleAssignmentIds ${USER_ERRORS} }
        companyLocationAssignStaffMembers(companyLocationId: $location, staffMemberIds: [$role]) {
          companyLocationStaffMemberAssignments { id } ${USER_ERRORS} }
        companyLocationsDelete(companyLocationIds: [$location, $role]) {
          deletedCompanyLocationIds ${USER_ERRORS} }
        companyContactsDelete(companyContactIds: [$mine, $contact]) {
          deletedCompanyContactIds ${USER_ERRORS} }
        companiesDelete(companyIds: [$company, $role]) { deletedCompanyIds ${USER_ERRORS} }
      }`,
      {
        company: company.id,
        contact,
        location: location.id,
        role: role.id,
        mine: company.mainContact.id,
      },
    );
    const at = (name: string, index: string, message = gone) =>
      refusal([name, index], message, 'RESOURCE_NOT_FOUND');
    const noContact = "The company contact doesn't exist.";
    expect(data).toEqual({
      companyLocationAssignRoles: {
        roleAssignments: [],
        userErrors: at('rolesToAssign', '0', 'Company contact does not exist.'),
      },
      companyContactRevokeRoles: {
        revokedRoleAssignmentIds: [],
        userErrors: at('roleAssignmentIds', '0'),
      },
      companyLocationRevokeRoles: {
        revokedRoleAssignmentIds: [],
        userErrors: at('rolesToRevoke', '0'),
      },
      companyLocationAssignStaffMembers: {
        companyLocationStaffMemberAssignments: null,
        userErrors: at('staffMemberIds', '0'),
      },
      companyLocationsDelete: {
        deletedCompanyLocationIds: [location.id],
        userErrors: at('companyLocationIds', '1'),
      },
      companyContactsDelete: {
        deletedCompanyContactIds: [company.mainContact.id],
        userErrors: at('companyContactIds', '1', noContact),
      },
      companiesDelete: { deletedCompanyIds: [company.id], userErrors: at('companyIds', '1') },
    });
    const after = await call(`query ($id: ID!) { company(id: $id) { id } }`, { id: company.id });
    expect(after.data.company).toBeNull();
  });

  it.each([
    [{ countryCode: 'ZZ' }, 'countryCode', 'Country code is invalid'],
    [{ countryCode: 'US', zoneCode: 'ZZ' }, 'zoneCode', 'Zone code is invalid'],
    [{ countryCode: 'US', zoneCode: 'CA', zip: 'abcde' }, 'zip', 'Zip is invalid'],
    [{ address1: '<b>1 Pine</b>' }, 'address1', 'Address1 is invalid'],
    [{ recipient: '<b>Buyer</b>' }, 'recipient', 'Recipient is invalid'],
    [{ city: 'Ottawa 👋' }, 'city', 'City is invalid'],
    [{ firstName: '👋' }, 'firstName', 'First name is invalid'],
  ])('refuse the address %j', async (shippingAddress, field, message) => {
    expect((await addLocation(company.id, { shippingAddress })).userErrors).toEqual(
      refusal(['input', 'shippingAddress', field], message, 'INVALID'),
    );
  });

  it('have addresses that are set, kept and deleted by side', async () => {
    const { companyLocation } = await addLocation(company.id, {
      name: 'Shared',
      billingSameAsShipping: true,
      shippingAddress: { address1: 'Anchor', countryCode: 'CA' },
    });
    const { billingAddress, shippingAddress } = companyLocation;
    expect(billingAddress).toMatchObject({ address1: 'Anchor' });
    expect(billingAddress.id).not.toBe(shippingAddress.id);
    const assign = (addressTypes: string[]) =>
      run(
        'companyLocationAssignAddress',
        '$locationId: ID!, $address: CompanyAddressInput!, $addressTypes: [CompanyAddressType!]!',
        'addresses { id address1 }',
        { locationId: companyLocation.id, address: { address1: 'Moved' }, addressTypes },
      );
    expect(await assign(['BILLING', 'BILLING'])).toEqual({
      addresses: null,
      userErrors: refusal(null, 'Invalid input.', 'INVALID_INPUT'),
    });
    expect((await assign(['BILLING'])).addresses).toEqual([
      { id: billingAddress.id, address1: 'Moved' },
    ]);
    const remove = () =>
      run('companyAddressDelete', '$addressId: ID!', 'deletedAddressId', {
        addressId: shippingAddress.id,
      });
    expect((await remove()).deletedAddressId).toBe(shippingAddress.id);
    expect((await remove()).userErrors).toEqual(
      refusal(['addressId'], 'Company address was not found.', 'RESOURCE_NOT_FOUND'),
    );
    const { data } = await call(
      `query ($id: ID!) { companyLocation(id: $id) {
        billingAddress { address1 } shippingAddress { id } } }`,
      { id: companyLocation.id },
    );
    expect(data.companyLocation).toEqual({
      billingAddress: { address1: 'Moved' },
      shippingAddress: null,
    });
  });

  it('have the taxes of each location', async () => {
    const tax = (variables: object) =>
      run(
        'companyLocationTaxSettingsUpdate',
        `$companyLocationId: ID!, ${Object.keys(variables)
          .map((name) => `$${name}: ${TAXES[name]}`)
          .join(', ')}`,
        'companyLocation { taxSettings { taxRegistrationId taxExempt taxExemptions } }',
        { companyLocationId: company.locations.nodes[0].id, ...variables },
      );
    const first = { taxRegistrationId: 'T1', exemptionsToAssign: ['CA_STATUS_CARD_EXEMPTION'] };
    expect((await tax({ ...first, taxExempt: true })).companyLocation.taxSettings).toEqual({
      taxRegistrationId: 'T1',
      taxExempt: true,
      taxExemptions: ['CA_STATUS_CARD_EXEMPTION'],
    });
    const { companyLocation } = await tax({ exemptionsToRemove: first.exemptionsToAssign });
    expect(companyLocation.taxSettings).toMatchObject({ taxExempt: true, taxExemptions: [] });
    expect((await tax({ taxExempt: null })).userErrors).toMatchObject([
      { field: ['taxExempt'], code: 'INVALID_INPUT' },
    ]);
  });

  it('stay while there are orders', async () => {
    const purchasingCompany = {
      companyId: company.id,
      companyContactId: company.mainContact.id,
      companyLocationId: company.locations.nodes[0].id,
    };
    await call(
      `mutation ($input: DraftOrderInput!) {
        draftOrderCreate(input: $input) { draftOrder { id } userErrors { message } } }`,
      {
        input: {
          purchasingEntity: { purchasingCompany },
          lineItems: [{ title: 'Hat', quantity: 1, originalUnitPrice: '1.00' }],
        },
      },
    );
    const remove = await run('companyDelete', '$id: ID!', 'deletedCompanyId', { id: company.id });
    expect(remove).toEqual({
      deletedCompanyId: null,
      userErrors: refusal(['id'], 'Failed to delete the company.', 'FAILED_TO_DELETE'),
    });
    const contact = await run(
      'companyContactDelete',
      '$companyContactId: ID!',
      'deletedCompanyContactId',
      { companyContactId: company.mainContact.id },
    );
    expect(contact.userErrors).toMatchObject([{ code: 'FAILED_TO_DELETE' }]);
  });
});

const TAXES: Readonly<Record<string, string>> = {
  taxRegistrationId: 'String',
  taxExempt: 'Boolean',
  exemptionsToAssign: '[TaxExemption!]',
  exemptionsToRemove: '[TaxExemption!]',
};
