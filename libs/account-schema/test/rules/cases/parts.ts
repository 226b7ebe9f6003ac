/* Small valid parts of payloads. */

export const ADDRESS = {
  supply_address1: '4 Weir Cottages',
  supply_postcode: 'NN99 9ZZ',
  customer_at_supply_address_from_date: '2021-03-01',
  meter_points: [],
};

export const OTHER_ADDRESS = { ...ADDRESS, supply_address1: '5 Weir Cottages' };

export const POINT = {
  supply_type: 'ELECTRICITY',
  identifier: '1000000000110',
  mpid: 'XSUP',
  supply_start_date: '2021-03-01',
};

export const GAS_POINT = {
  supply_type: 'GAS',
  identifier: '9900010107',
  mpid: 'XGS',
  shipper_mpid: 'XSH',
  supply_start_date: '2021-03-01',
};

/** Supply addresses with one meter point that has these fields. */
export function supplied(fields: object, point: object = POINT): { supply_addresses: object[] } {
  return { supply_addresses: [{ ...ADDRESS, meter_points: [{ ...point, ...fields }] }] };
}

/** Path of the meter point of `supplied`, and of the first meter point of every example. */
export const E = 'supply_addresses.0.meter_points.0';
/** Path of the gas meter point of the domestic example. */
export const G = 'supply_addresses.0.meter_points.1';

export const AGREEMENT = { tariff_code: 'E-VAR', effective_from: '2021-03-01' };

export function reading(date: string, fields: object = {}): object {
  return { reading_date: date, reading_type: 'ROUTINE', reading_value: '100', ...fields };
}

export const REGISTER = { register_id: '1', number_of_digits: 5 };

/** A meter point billed up to 1 June 2024 with one meter of one register. */
export function metered(meter: object, fields: object = {}): { supply_addresses: object[] } {
  return supplied({
    last_billed_to_date: '2024-06-01',
    meters: [{ meter_serial_number: 'M1', registers: [REGISTER], ...meter }],
    ...fields,
  });
}

/** Edits of the domestic example: its gas meter was exchanged on the first unbilled day. */
export const EXCHANGED = {
  [`${G}.meters.0.removed_on`]: '2024-06-01',
  [`${G}.meters.1`]: {
    meter_serial_number: 'E6S0099188',
    installed_on: '2024-06-01',
    gas_number_of_digits: 5,
    transfer_readings: [reading('2024-06-01')],
  },
};

export const CONSENT = { type: 'NEWSLETTER', value: 'ACCEPTED' };

export const PORTFOLIO_REFERENCE = { namespace: 'portfolio-label', value: 'P1' };

export function payment(id: string, date: string, fields: object = {}): object {
  return { transaction_id: id, transaction_date: date, type: 'PAYMENT', amount: '10.00', ...fields };
}

export const LINE = {
  rate_band: 'CONSUMPTION_STANDARD',
  start_date: '2024-05-01',
  end_date: '2024-05-31',
  number_of_units: '10',
  net_amount: '10.00',
};

export function supplyCharge(fields: object): object {
  return {
    transaction_id: 'S1',
    transaction_date: '2024-06-10',
    type: 'SUPPLY_CHARGE',
    amount: '10.00',
    product_code: 'HOME-VAR',
    line_items: [LINE],
    ...fields,
  };
}

export const SCHEDULE = {
  means: 'DD',
  start_date: '2024-01-05',
  frequency: 'MONTHLY',
  day_of_month: 5,
  amount: '20.00',
};

export function scheduled(...schedules: object[]): { payment_schedules: object[] } {
  return { payment_schedules: schedules.map((one) => ({ ...SCHEDULE, ...one })) };
}

export const REVIEW = {
  created_at: '2024-01-01T09:00:00Z',
  applied_at: '2024-01-02T09:00:00Z',
  average_monthly_charge: 8000,
  average_monthly_elec_charge: 8000,
  average_monthly_gas_charge: 0,
  balance_adjustment: 100,
  current_balance: -1200,
  target_balance: 0,
  existing_direct_debit_payment: 7500,
  new_direct_debit: 8100,
};

export const COMPLAINT = {
  type_of_complaint: 'BILLING',
  subtype_of_complaint: 'LATE_BILL',
  complainant_name: 'Maeve Aldous',
  complainant_email: 'm.aldous@example.org',
  created_at: '2024-01-01T09:00:00Z',
  has_chsr_letter_been_sent: false,
  has_eight_week_letter_been_sent: false,
  complaint_contacts: [],
};

export const PLAN = {
  strategy_name: 'FIXED_TERM',
  schedule_means: 'DD',
  accepted_at: '2024-01-01T09:00:00Z',
  payments: [],
};
