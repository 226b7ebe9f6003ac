import { addDays, type Day, firstOfMonth, momentAt } from './calendar';
import type { Random } from './random';

/** A supply point with the data for the last month's bill. */
export interface SupplyPoint {
  identifier: string;
  /** The `meter_points` entry. */
  meterPoint: Record<string, unknown>;
  product: string;
  /** Units used in the last billed month. `readings` are its opening and closing reading, if the meter counts these units. */
  used: number;
  readings: [number, number] | undefined;
  fuel: 'ELECTRICITY' | 'GAS';
}

/** The dates of an account's supply. */
export interface SupplyDates {
  supplyStart: Day;
  /** The first unbilled day, which is the first of a month. */
  takeover: Day;
}

/** Tariffs, products and market participants have the codes of the contract's examples. */
const FIXED_PRODUCT_END: Day = '2024-01-01';
const FIXED_PRODUCT_START: Day = '2021-01-01';
const MPAN_WEIGHTS = [3, 5, 7, 13, 17, 19, 23, 29, 31, 37, 41, 43];

/** Appends the check digit of an MPAN. @param body the first 12 digits */
export function mpan(body: string): string {
  const sum = MPAN_WEIGHTS.reduce((total, weight, position) => total + weight * Number(body[position]), 0);
  return `${body}${(sum % 11) % 10}`;
}

/** Appends the check digits of an MPRN. @param body all digits except the two check digits */
export function mprn(body: string): string {
  const sum = Array.from(body).reduce(
    (total, digit, position) => total + Number(digit) * (body.length - position),
    0,
  );
  return `${body}${String(sum % 11).padStart(2, '0')}`;
}

/** The seed and serial number of a supply point, from which its unique identifier is built. */
export interface PointPosition {
  seed: number;
  /** Serial number, from 0 to 9,999,999. */
  serial: number;
}

/** Builds an electricity supply point with its meter point. */
export function buildElectricityPoint(
  random: Random,
  { seed, serial }: PointPosition,
  dates: SupplyDates,
  business: boolean,
): SupplyPoint {
  const { supplyStart, takeover } = dates;
  const used = random.between(90, 900);
  const opening = random.between(4000, 60_000);
  const register = random.pick(['01', '1', 'R1']);
  const smart = random.chance(0.5);
  const reading = (date: Day, value: number): Record<string, unknown> => ({
    register_id: register,
    reading_date: date,
    reading_type: smart ? 'SMART' : random.pick(['CUSTOMER', 'ROUTINE', 'ESTIMATE']),
    reading_value: `${value}.0`,
  });
  const identifier = mpan(`1${String(seed % 1_000).padStart(3, '0')}${String(serial).padStart(8, '0')}`);
  return {
    identifier,
    fuel: 'ELECTRICITY',
    product: business ? 'TRADE-VAR' : 'HOME-VAR',
    used,
    readings: [opening, opening + used],
    meterPoint: {
      supply_type: 'ELECTRICITY',
      identifier,
      mpid: 'XSUP',
      supply_start_date: supplyStart,
      measurement_class: 'A',
      profile_class: business ? 3 : 1,
      ssc: '0393',
      et_in_progress: false,
      dr_in_progress: false,
      last_billed_to_date: takeover,
      agreements: business
        ? [{ tariff_code: 'E-TRADE-1R', effective_from: supplyStart }]
        : buildHomeAgreements(random, supplyStart),
      meters: [
        {
          meter_serial_number: `${random.pick(['Z', 'K', 'L', 'S'])}${random.between(10, 24)}A${random.digits(6)}`,
          installed_on: addDays(supplyStart, -random.between(10, 2500)),
          ...(smart ? buildSmartDetails(random, supplyStart) : {}),
          registers: [
            {
              register_id: register,
              tpr: '00001',
              number_of_digits: 5,
              is_settlement: true,
              last_billed_to_date: takeover,
            },
          ],
          transfer_readings: [reading(takeover, opening + used)],
          reading_history: [
            { ...reading(firstOfMonth(takeover, -1), opening), billed: true, validation_status: 'VALIDATED' },
            ...(random.chance(0.5)
              ? [{ ...reading(addDays(takeover, 17), opening + used + 60), billed: false }]
              : []),
          ],
        },
      ],
      eac_history: [
        {
          effective_from: laterOf(supplyStart, '2023-04-01'),
          tpr: '00001',
          consumption: `${used * 12}.00`,
          source: 'D0019',
        },
      ],
    },
  };
}

/** Builds a gas supply point with its meter point. */
export function buildGasPoint(
  random: Random,
  { seed, serial }: PointPosition,
  { supplyStart, takeover }: SupplyDates,
): SupplyPoint {
  const used = random.between(40, 1900);
  const identifier = mprn(`${(seed % 9) + 1}${String(serial).padStart(7, '0')}`);
  return {
    identifier,
    fuel: 'GAS',
    product: 'HOME-VAR',
    used,
    readings: undefined,
    meterPoint: {
      supply_type: 'GAS',
      identifier,
      mpid: 'XGS',
      shipper_mpid: 'XSH',
      supply_start_date: supplyStart,
      ldz: random.pick(['EM', 'SC', 'WN', 'NE', 'SO']),
      last_billed_to_date: takeover,
      agreements: [{ tariff_code: 'G-VAR', effective_from: supplyStart }],
      meters: [
        {
          meter_serial_number: `E6S${random.digits(7)}`,
          installed_on: addDays(supplyStart, -random.between(10, 4000)),
          gas_number_of_digits: 5,
          units_of_measure: 'SCMH',
          last_billed_to_date: takeover,
          transfer_readings: [
            {
              reading_date: takeover,
              reading_type: random.pick(['CUSTOMER', 'ROUTINE', 'ESTIMATE']),
              reading_value: String(random.between(900, 90_000)),
            },
          ],
        },
      ],
      aq_history: [
        { effective_from: '2023-04-01', effective_to: '2024-03-31', consumption: `${used * 11}` },
        { effective_from: '2024-04-01', consumption: `${used * 12}`, source: 'annual review' },
      ],
    },
  };
}

/** One open-ended agreement, or a fixed one that has ended and the variable one that follows it. */
function buildHomeAgreements(random: Random, supplyStart: Day): Record<string, unknown>[] {
  const agreedAt = momentAt(addDays(supplyStart, -14), random.between(9, 17), 30);
  const fitsFixed = supplyStart >= FIXED_PRODUCT_START && supplyStart < FIXED_PRODUCT_END;
  if (!fitsFixed || random.chance(0.5)) {
    return [{ tariff_code: 'E-VAR', effective_from: supplyStart, agreed_at: agreedAt }];
  }
  return [
    {
      tariff_code: 'E-FIX-21',
      effective_from: supplyStart,
      effective_to: FIXED_PRODUCT_END,
      agreed_at: agreedAt,
    },
    { tariff_code: 'E-VAR', effective_from: FIXED_PRODUCT_END },
  ];
}

function buildSmartDetails(random: Random, supplyStart: Day): Record<string, unknown> {
  const octet = (): string => random.between(0, 255).toString(16).toUpperCase().padStart(2, '0');
  return {
    smart_type: random.pick(['SMETS1', 'SMETS2']),
    smart_commissioned_on: supplyStart,
    smart_device_id: Array.from({ length: 8 }, octet).join('-'),
  };
}

function laterOf(one: Day, other: Day): Day {
  return one > other ? one : other;
}
