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

/** A short account that is complete for the profile `gb-energy`: with a supply point, its agreement and its meter. */
export const exampleEnergyAccount = {
  ...exampleAccount,
  customers: exampleAccount.customers.map((customer) => ({ ...customer, portfolio_roles: ['CONTROLLER'] })),
  last_billed_to_date: '2024-05-10',
  supply_addresses: [
    {
      supply_address1: '4 Weir Cottages',
      supply_address2: 'Mill Lane',
      supply_postcode: 'NN9 9ZZ',
      customer_at_supply_address_from_date: '2024-05-10',
      meter_points: [
        {
          supply_type: 'ELECTRICITY',
          identifier: '1000000000147',
          mpid: 'XSUP',
          supply_start_date: '2024-05-10',
          measurement_class: 'A',
          profile_class: 1,
          ssc: '0393',
          agreements: [{ tariff_code: 'E-VAR', effective_from: '2024-05-10' }],
          meters: [
            {
              meter_serial_number: 'S95E30071',
              installed_on: '2009-10-01',
              registers: [{ register_id: '1', tpr: '00001', number_of_digits: 5 }],
              transfer_readings: [
                {
                  register_id: '1',
                  reading_date: '2024-05-10',
                  reading_type: 'ESTIMATE',
                  reading_value: '20410',
                },
              ],
            },
          ],
          eac_history: [{ effective_from: '2024-05-10', tpr: '00001', consumption: '1800' }],
        },
      ],
    },
  ],
};

/** An account that is read back. */
export const exampleImportedAccount = {
  platform_account_number: 'A-9c41e07b',
  account_created_at: '2026-11-21T09:30:00Z',
  payload_digest: 'sha-256=:3q2+7w1Hc1mS5YVh6l0nq0bYwF9zq8x2mS5k0dYt2bE=:',
  account: {
    ...exampleAccount,
    external_identifier: 'A-100231',
    customers: exampleAccount.customers.map((customer) => ({ ...customer, landline: '+441212345678' })),
  },
  additions: { notes: 1, transactions: 1, historical_statements: 0, payment_instructions: 0 },
};

/** A page of the transactions that were added to an account. */
export const exampleAdditions = {
  balances: [{ ledger_code: null, balance: '40.50', currency: 'GBP' }],
  counts: exampleImportedAccount.additions,
  items: [
    {
      transaction_id: 'PI-03',
      type: 'PAYMENT',
      amount: '40.50',
      transaction_date: '2026-11-21',
      original_date: '2026-11-03',
      statement_period: { from: '2026-11-21', to: '2026-12-20' },
      ledger_code: null,
      reason: 'ACCOUNT_CHARGE_PAYMENT',
      details: { payment_type: 'DD_REGULAR_COLLECTION', reference: 'DDM-77120-05' },
    },
  ],
  next: null,
};

/** The answer to a correction. */
export const exampleCorrection = {
  version: 2,
  changes: [{ path: 'customers.0.family_name', from: 'Aldous', to: 'Aldous-Reed' }],
  change_count: 1,
};

/** The bodies with an account, by the profile of the supplier. */
export const accountExamples = {
  account: { summary: 'An account of a supplier with the profile `core`', value: exampleAccount },
  'gb-energy': {
    summary: 'An account of a supplier with the profile `gb-energy`',
    value: exampleEnergyAccount,
  },
};
