/** A short, valid account. */
export const exampleAccount = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  account_type: 'DOMESTIC',
  billing_name: 'Mrs M Aldous',
  billing_address1: '4 Weir Cottages',
  billing_address2: 'Mill Lane',
  billing_postcode: 'NN9 9ZZ',
  customers: [
    {
      given_name: 'Maeve',
      family_name: 'Aldous',
      email: 'm.aldous@example.org',
      landline: '01212345678',
      date_of_birth: '1961-04-09',
    },
  ],
};

/** The v2 status of an imported account. */
export const exampleProcess = {
  status: 'PROCESSED',
  platform_identifier: 'A-9c41e07b',
  created_at: '2026-11-21T09:30:00.123456+00:00',
  modified_at: '2026-11-21T09:30:00.189012+00:00',
  latest_event: {
    event: 'EVENT_ACCOUNT_IMPORT_PROCESS_PROCESSED',
    occurred_at: '2026-11-21T09:30:00.189012+00:00',
    data: null,
  },
  latest_error: null,
};
