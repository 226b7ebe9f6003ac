import { onBusinessAccount, onDomesticAccount, onMinimalAccount, type RuleCase } from '../rules/rule-case';
import { AGREEMENT, metered, payment, PLAN, reading, REVIEW, SCHEDULE, supplied } from '../rules/cases/parts';

/** An account with one warning and a similar one without, as edits of a valid account. */
export type WarningCase = RuleCase;

const METER = 'supply_addresses.0.meter_points.0.meters.0';
const GAS_METER = 'supply_addresses.0.meter_points.1.meters.0';
const POINT = 'supply_addresses.0.meter_points.0';

const register = { register_id: '1' };
const transferred = (value: string) => [reading('2024-06-01', { ...register, reading_value: value })];
const history = (date: string, value: string, fields: object = {}) =>
  reading(date, { ...register, reading_value: value, billed: false, ...fields });

const person = (fields: object) => ({ customers: [{ family_name: 'Aldous', ...fields }] });

const statement = (id: string, month: string, fields: object = {}) => ({
  statement_id: id,
  bill_period_from_date: `2024-${month}-01`,
  bill_period_to_date: `2024-${month}-28`,
  ...fields,
});

const charges = (...amounts: readonly string[]) => ({
  current_statement_transactions: amounts.map((amount, i) =>
    payment(`C${i}`, '2024-06-02', { type: 'CHARGE', amount, reason: 'PAPER_BILL_FEE' }),
  ),
});

const tax = (rate: string) => ({
  current_statement_transactions: [
    {
      ...payment('C1', '2024-06-02', { type: 'CHARGE', amount: '24.00', reason: 'PAPER_BILL_FEE' }),
      tax_items: [{ tax_type: 'VAT', unit_type: 'PROPORTION', rate, value_taxed: '20.00', amount: '4.00' }],
    },
  ],
});

const LINE = 'ledgers.0.historical_statement_transactions.1.line_items.0';

const planPayment = (amount: number) => ({
  payment_plans: [
    { ...PLAN, payments: [{ payment_date: '2024-07-01', total_amount: amount, amount_components: [] }] },
  ],
});

const RATE = `${POINT}.agreements.0.bespoke_tariff_rates.0.registers.0.unit_rate`;

/** A name in UTF-8 that was read as Windows-1252. */
const MISREAD = 'M\u00c3\u00bcller';

/** The cases of all warnings about one account. */
export const WARNING_CASES: readonly WarningCase[] = [
  // Damaged text and numbers
  onMinimalAccount(
    'text_decoded_wrongly',
    'customers.0.family_name',
    person({ family_name: MISREAD }),
    person({ family_name: 'M\u00fcller-\u00c3lvares \u0141ukasz' }),
  ),
  onMinimalAccount(
    'text_decoded_wrongly',
    'customers.0.given_name',
    person({ given_name: '?ukasz' }),
    person({ given_name: '\u0141ukasz' }),
  ),
  onMinimalAccount.value('text_decoded_wrongly', 'billing_name', 'Caf\ufffd Weir', 'Caf\u00e9 Weir?'),
  onMinimalAccount(
    'text_decoded_wrongly',
    'notes.0.body',
    { notes: [{ body: 'The customer\u00e2\u20ac\u2122s key' }] },
    { notes: [{ body: 'Is the key there?yes. Cost \u00a35, 20\u00b0' }] },
  ),
  onMinimalAccount.value(
    'identifier_in_scientific_notation',
    'external_account_number',
    '1.23457E+15',
    '1234570000000000',
  ),
  onMinimalAccount(
    'identifier_in_scientific_notation',
    'statements.0.statement_id',
    { statements: [statement('2,5E+9', '05')] },
    { statements: [statement('E-25', '05')] },
  ),
  onDomesticAccount.value('industry_code_of_other_width', `${POINT}.ssc`, 'banana', '0393'),
  onDomesticAccount(
    'industry_code_of_other_width',
    `${POINT}.configuration_periods.0.llf`,
    { [`${POINT}.configuration_periods`]: [{ effective_from_date: '2021-03-01', llf: '1' }] },
    { [`${POINT}.configuration_periods`]: [{ effective_from_date: '2021-03-01', llf: '001' }] },
  ),
  onDomesticAccount(
    'industry_code_of_other_width',
    `${POINT}.configuration_periods.0.ssc`,
    { [`${POINT}.configuration_periods`]: [{ effective_from_date: '2021-03-01', ssc: '393' }] },
    { [`${POINT}.configuration_periods`]: [{ effective_from_date: '2021-03-01', ssc: '0393' }] },
  ),
  onDomesticAccount.value('industry_code_of_other_width', 'customers.0.psr.0.elec_industry_code', '8', '08'),
  // People and names
  ...onMinimalAccount.rows(person({}), [
    ['date_of_birth_in_future', 'customers.0.date_of_birth', '2061-04-09', '1961-04-09'],
    ['date_of_birth_before_1900', 'customers.0.date_of_birth', '1899-12-31', '1900-01-01'],
    ['date_of_birth_of_a_child', 'customers.0.date_of_birth', '2010-01-16', '2010-01-15'],
    ['name_with_digits', 'customers.0.given_name', 'Maeve 07400123456', 'Maeve'],
    ['name_is_an_email_address', 'customers.0.given_name', 'm.aldous@example.org', 'M. Aldous'],
    ['placeholder_name', 'customers.0.given_name', 'N/A', 'Na\u2019ama'],
    ['title_in_name', 'customers.0.given_name', 'Mrs. Maeve', 'Drusilla'],
    ['mobile_number_in_landline', 'customers.0.landline', '07400123456', '01212345678'],
    ['landline_number_in_mobile', 'customers.0.mobile', '01212345678', '+33612345678'],
  ]),
  onMinimalAccount(
    'person_repeated',
    'customers.1',
    { customers: [{ family_name: 'Aldous' }, { family_name: 'ALDOUS' }] },
    { customers: [{ family_name: 'Aldous' }, { family_name: 'Aldous', given_name: 'Tomas' }] },
  ),
  onMinimalAccount(
    'online_bills_without_email_address',
    'communication_preference',
    { communication_preference: 'ONLINE', ...person({}) },
    { communication_preference: 'ONLINE', ...person({ contact_emails: ['m.aldous@example.org'] }) },
  ),
  onMinimalAccount(
    'online_bills_without_email_address',
    'communication_preference',
    { communication_preference: 'ONLINE', customers: [{ family_name: 'Aldous' }, { family_name: 'Quill' }] },
    {
      communication_preference: 'ONLINE',
      customers: [{ family_name: 'Aldous' }, { family_name: 'Quill', email: 'i.quill@example.org' }],
    },
  ),
  onMinimalAccount.value('billing_name_without_letters', 'billing_name', '100231', 'Žofie 2'),
  onMinimalAccount.value('account_number_without_digits', 'external_account_number', 'Aldous', 'A-1'),

  // Sale, addresses, agreements and consumption
  onMinimalAccount.value('date_of_sale_in_future', 'date_of_sale', '2026-01-16', '2026-01-15'),
  onMinimalAccount.value('last_billed_to_date_in_future', 'last_billed_to_date', '2026-01-16', '2026-01-15'),
  ...onMinimalAccount.rows(supplied({}), [
    ['last_billed_to_date_in_future', `${POINT}.last_billed_to_date`, '2026-01-16', '2026-01-15'],
    ['address_line_repeated', 'supply_addresses.0.supply_address2', '4 Weir Cottages', 'Mill Lane'],
  ]),
  onMinimalAccount(
    'agreement_ends_before_billing_begins',
    `${POINT}.agreements.0.effective_to`,
    supplied({
      last_billed_to_date: '2024-06-01',
      agreements: [{ ...AGREEMENT, effective_to: '2024-06-01' }],
    }),
    supplied({
      last_billed_to_date: '2024-06-01',
      agreements: [
        { ...AGREEMENT, effective_to: '2024-06-01' },
        { ...AGREEMENT, effective_from: '2024-06-01' },
      ],
    }),
  ),
  onMinimalAccount(
    'agreement_ends_on_its_first_day',
    `${POINT}.agreements.0.effective_to`,
    supplied({ agreements: [{ ...AGREEMENT, effective_to: '2021-03-01' }] }),
    supplied({ agreements: [{ ...AGREEMENT, effective_to: '2021-03-02' }] }),
  ),
  onDomesticAccount.value(
    'move_in_in_future',
    'supply_addresses.0.customer_at_supply_address_from_date',
    '2026-01-16',
    '2026-01-15',
  ),
  onMinimalAccount(
    'move_out_before_move_in',
    'supply_addresses.0.customer_at_supply_address_to_date',
    { ...supplied({}), 'supply_addresses.0.customer_at_supply_address_to_date': '2021-02-28' },
    { ...supplied({}), 'supply_addresses.0.customer_at_supply_address_to_date': '2021-03-01' },
  ),
  onMinimalAccount(
    'address_line_repeated',
    'billing_address3',
    {
      billing_address1: '4 Weir Row',
      billing_address2: 'Larkby',
      billing_address3: 'Larkby',
      billing_postcode: 'NN99 9ZZ',
    },
    { billing_address1: '4 Weir Row', billing_address2: 'Larkby', billing_postcode: 'NN99 9ZZ' },
  ),
  onMinimalAccount(
    'building_number_without_digits',
    'billing_address.structured_street_address.building_number',
    {
      billing_address: {
        country: 'GB',
        structured_street_address: { building_number: 'Rose Cottage', thoroughfare: 'Mill Lane' },
        postal_code: 'NN99 9ZZ',
      },
    },
    {
      billing_address: {
        country: 'GB',
        structured_street_address: { building_number: '4a', thoroughfare: 'Mill Lane' },
        postal_code: 'NN99 9ZZ',
      },
    },
  ),
  onDomesticAccount.value(
    'annual_consumption_beyond_a_household',
    `${POINT}.eac_history.0.consumption`,
    '2610000.00',
    '99999.00',
  ),
  onDomesticAccount.value(
    'annual_consumption_beyond_a_household',
    'supply_addresses.0.meter_points.1.aq_history.1.consumption',
    '10950000',
    '10950',
  ),

  // Meters and readings
  onMinimalAccount(
    'reading_below_zero',
    `${METER}.transfer_readings.0.reading_value`,
    metered({ transfer_readings: transferred('-5') }),
    metered({ transfer_readings: transferred('0') }),
  ),
  onMinimalAccount(
    'reading_beyond_register_digits',
    `${METER}.transfer_readings.0.reading_value`,
    metered({ transfer_readings: transferred('100000.5') }),
    metered({ transfer_readings: transferred('99999.5') }),
  ),
  onDomesticAccount.value(
    'reading_beyond_register_digits',
    `${GAS_METER}.transfer_readings.0.reading_value`,
    '778100',
    '77810',
  ),
  onMinimalAccount(
    'reading_below_the_one_before',
    `${METER}.transfer_readings.0.reading_value`,
    metered({ transfer_readings: transferred('100'), reading_history: [history('2024-05-01', '101')] }),
    metered({ transfer_readings: transferred('100'), reading_history: [history('2024-05-01', '100.0')] }),
  ),
  onMinimalAccount(
    'reading_below_the_one_before',
    `${METER}.reading_history.1.reading_value`,
    metered({ reading_history: [history('2024-05-01', '9'), history('2024-05-02', '8')] }),
    metered({
      reading_history: [
        history('2024-05-01', '9', { validation_status: 'FAILED' }),
        history('2024-05-02', '8'),
      ],
    }),
  ),
  onMinimalAccount(
    'readings_of_one_day_differ',
    `${METER}.transfer_readings.0.reading_value`,
    metered({ transfer_readings: transferred('100'), reading_history: [history('2024-06-01', '99')] }),
    metered({ transfer_readings: transferred('100'), reading_history: [history('2024-06-01', '100.00')] }),
  ),
  onMinimalAccount(
    'reading_in_future',
    `${METER}.reading_history.0.reading_date`,
    metered({ reading_history: [history('2026-01-16', '100')] }),
    metered({ reading_history: [history('2026-01-15', '100')] }),
  ),
  onMinimalAccount(
    'reading_before_meter_installed',
    `${METER}.reading_history.0.reading_date`,
    metered({ installed_on: '2022-01-02', reading_history: [history('2022-01-01', '100')] }),
    metered({ installed_on: '2022-01-01', reading_history: [history('2022-01-01', '100')] }),
  ),
  onMinimalAccount(
    'reading_after_meter_removed',
    `${METER}.reading_history.0.reading_date`,
    metered({ removed_on: '2024-06-01', reading_history: [history('2024-06-02', '100')] }),
    metered({ removed_on: '2024-06-02', reading_history: [history('2024-06-02', '100')] }),
  ),
  ...onMinimalAccount.rows(metered({}), [
    ['meter_installed_in_future', `${METER}.installed_on`, '2026-01-16', '2026-01-15'],
    ['meter_serial_number_without_digits', `${METER}.meter_serial_number`, 'KITCHEN', 'Z21'],
  ]),
  onMinimalAccount(
    'meter_removed_before_installed',
    `${METER}.removed_on`,
    metered({ installed_on: '2024-06-02', removed_on: '2024-06-01' }),
    metered({ installed_on: '2024-06-01', removed_on: '2024-06-01' }),
  ),

  // Statements
  ...onMinimalAccount.rows({ statements: [statement('S1', '05')] }, [
    ['gross_amount_with_decimals', 'statements.0.gross_amount', 112.61, 11261],
    ['gross_amount_with_decimals', 'statements.0.gross_amount', '112.00', '11200'],
    ['statement_issued_before_its_end', 'statements.0.issued_date', '2024-05-27', '2024-05-28'],
    ['statement_issued_in_future', 'statements.0.issued_date', '2026-01-16', '2026-01-15'],
    ['statement_number_without_digits', 'statements.0.number', 'Aldous', 'INV-1'],
  ]),
  onMinimalAccount(
    'statement_period_longer_than_a_year',
    'statements.0.bill_period_to_date',
    { statements: [statement('S1', '05', { bill_period_from_date: '2023-04-23' })] },
    { statements: [statement('S1', '05', { bill_period_from_date: '2023-04-24' })] },
  ),
  onMinimalAccount(
    'statement_periods_overlap',
    'statements.0.bill_period_from_date',
    { statements: [statement('S1', '05'), statement('S2', '04', { bill_period_to_date: '2024-05-01' })] },
    { statements: [statement('S1', '05'), statement('S2', '04', { bill_period_to_date: '2024-04-30' })] },
  ),
  onMinimalAccount(
    'statement_number_repeated',
    'statements.1.number',
    { statements: [statement('S1', '05', { number: '7' }), statement('S2', '06', { number: '7' })] },
    { statements: [statement('S1', '05', { number: '7' }), statement('S2', '06', { number: '8' })] },
  ),
  onMinimalAccount(
    'statement_document_repeated',
    'statements.1.statement_path',
    {
      statements: [
        statement('S1', '05', { statement_path: 'a.pdf' }),
        statement('S2', '06', { statement_path: 'a.pdf' }),
      ],
    },
    {
      statements: [
        statement('S1', '05', { statement_path: 'a.pdf' }),
        statement('S2', '06', { statement_path: 'b.pdf' }),
      ],
    },
  ),

  // Amounts and rates
  onMinimalAccount(
    'balance_possibly_in_minor_units',
    'transfer_balance',
    { transfer_balance: '-12340.00', ...charges('6170.00', '6170.00') },
    { transfer_balance: '-6170.00', ...charges('6170.00') },
  ),
  onMinimalAccount(
    'balance_possibly_in_minor_units',
    'ledgers.0.ledger_balance',
    {
      transfer_balance: '-12340.00',
      ledgers: [{ ledger_code: 'MAIN', ledger_balance: '-12340.00', ...charges('6170.00', '6170.00') }],
    },
    {
      transfer_balance: '-6170.00',
      ledgers: [{ ledger_code: 'MAIN', ledger_balance: '-6170.00', ...charges('6170.00') }],
    },
    { otherBreaches: ['transfer_balance balance_possibly_in_minor_units'] },
  ),
  onMinimalAccount(
    'transaction_amount_possibly_in_minor_units',
    'current_statement_transactions.0.amount',
    { current_statement_transactions: [payment('C1', '2024-06-02', { amount: '13000.00' })] },
    { current_statement_transactions: [payment('C1', '2024-06-02', { amount: '9999.99' })] },
  ),
  onMinimalAccount(
    'payment_amount_possibly_in_minor_units',
    'payment_schedules.0.amount',
    { payment_schedules: [{ ...SCHEDULE, amount: '13000' }] },
    { payment_schedules: [{ ...SCHEDULE, amount: '130.00' }] },
  ),
  onMinimalAccount(
    'plan_amount_possibly_in_major_units',
    'payment_plans.0.payments.0.total_amount',
    planPayment(25),
    planPayment(2500),
  ),
  onMinimalAccount(
    'review_amount_possibly_in_major_units',
    'payment_adequacy_changes.0.new_direct_debit',
    {
      payment_adequacy_changes: [
        {
          ...REVIEW,
          average_monthly_charge: 0,
          average_monthly_elec_charge: 0,
          current_balance: -972,
          balance_adjustment: 81,
          new_direct_debit: 81,
        },
      ],
    },
    { payment_adequacy_changes: [REVIEW] },
  ),
  onDomesticAccount(
    'unit_price_possibly_in_minor_units',
    `${LINE}.price_per_unit`,
    { [`${LINE}.price_per_unit`]: '24.50', [`${LINE}.number_of_units`]: '2.1' },
    { [`${LINE}.price_per_unit`]: '0.2450', [`${LINE}.number_of_units`]: '210' },
  ),
  onBusinessAccount(
    'negotiated_rate_possibly_in_major_units',
    RATE,
    { next_bill_due_date: '2026-02-01', [RATE]: '0.271' },
    { next_bill_due_date: '2026-02-01', [RATE]: '27.1' },
  ),
  onMinimalAccount(
    'tax_rate_possibly_a_percentage',
    'current_statement_transactions.0.tax_items.0.rate',
    tax('20'),
    tax('0.2'),
  ),
  onMinimalAccount(
    'prepay_debt_below_zero',
    `${METER}.prepay_details.debt_balance`,
    metered({
      is_prepay: true,
      prepay_details: { credit_balance: '0', debt_balance: '-12.40', transfer_vend_read_date: '2024-05-31' },
    }),
    metered({
      is_prepay: true,
      prepay_details: { credit_balance: '0', debt_balance: '12.40', transfer_vend_read_date: '2024-05-31' },
    }),
  ),
  onMinimalAccount(
    'debt_due_in_future',
    'debts.0.aged_debt.0.due_date',
    { debts: [{ aged_debt: [{ debt_amount: '40.00', due_date: '2026-01-16' }] }] },
    { debts: [{ aged_debt: [{ debt_amount: '40.00', due_date: '2026-01-15' }] }] },
  ),
  onMinimalAccount.value('next_bill_due_date_in_past', 'next_bill_due_date', '2026-01-14', '2026-01-15'),
];
