import type { ReferenceData } from '../../../src/rules/operator/reference-data';
import {
  type Edits,
  onDomesticAccount,
  onMinimalAccount,
  onOccupierAccount,
  type RuleCase,
} from '../rule-case';
import { example } from '../settings';
import { E, EXCHANGED, G, GAS_POINT, metered, reading, REGISTER, supplied } from './parts';

/** Turns off the rules about products, which would also require a prepayment tariff. */
const ANY_TARIFF = { references: { products: undefined } as Partial<ReferenceData> };
const OFF_SUPPLY = 'supply_addresses no_supply_point_on_supply';
const METER = `${E}.meters.0`;

/** As {@link metered}, with the day up to which the account is billed instead of that of the meter point. */
const billedByAccount = (meter: object) => ({
  last_billed_to_date: '2024-06-01',
  ...metered(meter, { last_billed_to_date: undefined }),
});

const PREPAY = { [`${METER}.is_prepay`]: true, [`${METER}.prepay_customer_reference_number`]: '12 34' };

function vendedOn(day: string): object {
  return { credit_balance: '12.40', debt_balance: '0.00', transfer_vend_read_date: day };
}

const billedReading = (day: string) => reading(day, { register_id: '1', billed: true });

/** Edits of the occupier example: supply ended on the first unbilled day, so everything is billed. */
const BILLED_TO_THE_END = {
  [`${E}.supply_end_date`]: '2024-05-10',
  [`${E}.supply_start_date`]: '2024-05-01',
  [`${E}.agreements.0.effective_from`]: '2024-05-01',
  [`${E}.agreements.0.effective_to`]: '2024-05-10',
  [`${METER}.transfer_readings`]: [],
  [`${METER}.reading_history`]: [billedReading('2024-05-10')],
};

/** Edits that repeat the occupier's meter point with other identifiers, so that one meter is on several points. */
function sameMeterOn(...identifiers: string[]): Record<string, unknown> {
  const [address] = example('04-unknown-occupier').supply_addresses as { meter_points: object[] }[];
  const points = identifiers.map((identifier) => ({ ...address?.meter_points[0], identifier }));
  return { 'supply_addresses.0.meter_points': points, [`${E}.export_type`]: 'IMPORT_EXPORT' };
}

/** Cases of meters and their readings. */
export const METER_CASES: readonly RuleCase[] = [
  onDomesticAccount('blank', `${METER}.meter_serial_number`, { [`${METER}.meter_serial_number`]: ' ' }, {}),
  ...onDomesticAccount.rows({}, [
    ['invalid_meter_serial_number', `${METER}.meter_serial_number`, 'Z21A0044101', 'z21a004410'],
    ['import_meter_not_found_for_export_meter', `${E}.export_type`, 'IMPORT_EXPORT', 'EXPORT_ONLY'],
    ['future_smart_meter_commission_date', `${METER}.smart_commissioned_on`, '2026-01-16', '2026-01-15'],
  ]),
  onOccupierAccount(
    'last_billed_to_date_not_found',
    METER,
    { last_billed_to_date: undefined, last_statement_closing_date: '2024-05-09' },
    { last_billed_to_date: undefined },
  ),
  onDomesticAccount(
    'no_last_billed_to_date_on_exchanged_meter',
    `${G}.meters.0`,
    { ...EXCHANGED, [`${G}.meters.0.last_billed_to_date`]: undefined },
    EXCHANGED,
  ),
  onDomesticAccount(
    'last_billed_to_date_on_new_meter',
    `${G}.meters.1`,
    { ...EXCHANGED, [`${G}.meters.1.last_billed_to_date`]: '2024-06-01' },
    EXCHANGED,
  ),
  onMinimalAccount(
    'last_billed_to_date_on_new_meter',
    `${E}.meters.1`,
    exchangedRegisters({ last_billed_to_date: '2024-06-01' }),
    exchangedRegisters({}),
  ),
  onMinimalAccount(
    'meter_with_duplicate_register_ids',
    `${METER}.registers.1.register_id`,
    metered({ registers: [REGISTER, REGISTER] }),
    metered({ registers: [REGISTER, { ...REGISTER, register_id: '01' }] }),
  ),
  onDomesticAccount(
    'multiple_non_dmex_meters_with_serial_number',
    `${G}.meters.1.meter_serial_number`,
    { ...EXCHANGED, [`${G}.meters.1.meter_serial_number`]: 'E6S0099187' },
    {
      ...EXCHANGED,
      [`${G}.meters.1.meter_serial_number`]: 'E6S0099187',
      [`${G}.meters.1.installed_on`]: '2024-06-02',
    },
  ),
  onDomesticAccount(
    'multiple_non_dmex_meters_with_serial_number',
    `${G}.meters.0.meter_serial_number`,
    newestFirst('2024-06-01'),
    newestFirst('2024-06-02'),
  ),
  onOccupierAccount(
    'unexpected_number_of_meter_points_found_for_meter',
    `${METER}.meter_serial_number`,
    sameMeterOn('1000000000147', '1000000000156', '1000000000165'),
    sameMeterOn('1000000000147', '1000000000156'),
    {
      references: { twin_element_meters: [] },
      otherBreaches: [`${E}.export_type import_meter_not_found_for_export_meter`],
    },
  ),
  onDomesticAccount(
    'smart_details_provided_for_non_smart_meter',
    `${METER}.smart_device_id`,
    { [`${METER}.smart_type`]: 'NONE' },
    { [`${METER}.smart_type`]: 'SMETS1' },
  ),
  onDomesticAccount(
    'smart_details_provided_for_non_smart_meter',
    `${METER}.smart_device_id`,
    { [`${METER}.smart_type`]: 'NONE', [`${METER}.smart_device_id`]: undefined },
    { [`${METER}.smart_device_id`]: undefined },
  ),
  onDomesticAccount.value(
    'invalid_smart_device_id',
    `${METER}.smart_device_id`,
    '00-0B-6B-FF-12-34-56',
    '00-0b-6b-ff-12-34-56-78',
  ),
  onDomesticAccount(
    'prepay_details_on_non_prepay_meter',
    `${G}.meters.0.prepay_details`,
    { [`${G}.meters.0.prepay_customer_reference_number`]: '1234' },
    { [`${G}.meters.0.prepay_customer_reference_number`]: '1234', [`${G}.meters.0.is_prepay`]: true },
    ANY_TARIFF,
  ),
  onOccupierAccount(
    'prepay_details_on_fully_billed_meter',
    `${METER}.prepay_details`,
    { ...BILLED_TO_THE_END, ...PREPAY, [`${METER}.prepay_details`]: vendedOn('2024-05-09') },
    { ...BILLED_TO_THE_END, ...PREPAY },
    { ...ANY_TARIFF, otherBreaches: [OFF_SUPPLY], otherBreachesWhenHolding: [OFF_SUPPLY] },
  ),
  onOccupierAccount(
    'transfer_vend_read_date_must_match_last_billed_to_date',
    `${METER}.prepay_details.transfer_vend_read_date`,
    { ...PREPAY, [`${METER}.prepay_details`]: vendedOn('2024-05-10') },
    { ...PREPAY, [`${METER}.prepay_details`]: vendedOn('2024-05-09') },
    ANY_TARIFF,
  ),
  onOccupierAccount(
    'electricity_prepay_meter_without_customer_reference_number',
    `${METER}.prepay_customer_reference_number`,
    { [`${METER}.is_prepay`]: true },
    PREPAY,
    ANY_TARIFF,
  ),
  onOccupierAccount(
    'invalid_prepay_customer_reference_number',
    `${METER}.prepay_customer_reference_number`,
    { ...PREPAY, [`${METER}.prepay_customer_reference_number`]: '12-34' },
    PREPAY,
    ANY_TARIFF,
  ),
  onMinimalAccount(
    'reading_without_register_id',
    `${METER}.transfer_readings.0.register_id`,
    metered({ transfer_readings: [reading('2024-06-01')] }),
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '1' })] }),
  ),
  onMinimalAccount(
    'reading_register_id_not_recognised',
    `${METER}.transfer_readings.0.register_id`,
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '01' })] }),
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '1' })] }),
  ),
  onMinimalAccount(
    'no_register_id_for_reading',
    `${METER}.reading_history.0.register_id`,
    metered({ reading_history: [reading('2024-06-01', { billed: true })] }),
    metered({ reading_history: [reading('2024-06-01', { billed: true, register_id: '1' })] }),
  ),
  onMinimalAccount(
    'historical_reading_register_id_not_recognised',
    `${METER}.reading_history.0.register_id`,
    metered({ reading_history: [reading('2024-06-01', { billed: true, register_id: '01' })] }),
    metered({ reading_history: [reading('2024-06-01', { billed: true, register_id: '1' })] }),
  ),
  onMinimalAccount(
    'transfer_reading_dates_must_match_last_billed_to_date',
    `${METER}.transfer_readings.0.reading_date`,
    billedByAccount({ transfer_readings: [reading('2024-06-02', { register_id: '1' })] }),
    billedByAccount({
      registers: [{ ...REGISTER, last_billed_to_date: '2024-06-02' }],
      transfer_readings: [reading('2024-06-02', { register_id: '1' })],
    }),
  ),
  onDomesticAccount(
    'transfer_reading_dates_must_match_last_billed_to_date',
    `${G}.meters.0.transfer_readings.0.reading_date`,
    { [`${G}.meters.0.transfer_readings.0.reading_date`]: '2024-06-02' },
    {
      [`${G}.meters.0.transfer_readings.0.reading_date`]: '2024-06-02',
      [`${G}.meters.0.last_billed_to_date`]: '2024-06-02',
    },
  ),
  onMinimalAccount(
    'billed_reading_after_last_billed_to_date',
    `${METER}.reading_history.0.reading_date`,
    metered({ reading_history: [reading('2024-06-02', { billed: true, register_id: '1' })] }),
    metered({
      reading_history: [
        reading('2024-06-01', { billed: true, register_id: '1' }),
        reading('2024-06-02', { billed: false, register_id: '1' }),
      ],
    }),
  ),
  onDomesticAccount(
    'active_gas_meter_without_transfer_reading',
    `${G}.meters.0.transfer_readings`,
    { [`${G}.meters.0.transfer_readings`]: [] },
    {},
  ),
  onMinimalAccount(
    'active_gas_meter_with_multiple_transfer_readings',
    `${METER}.transfer_readings`,
    gasMeter({ transfer_readings: [reading('2024-06-01'), reading('2024-06-01')] }),
    gasMeter({ transfer_readings: [reading('2024-06-01')] }),
  ),
  onDomesticAccount(
    'missing_transfer_reading_for_register',
    `${METER}.transfer_readings`,
    { [`${METER}.transfer_readings`]: [] },
    { [`${METER}.transfer_readings`]: [], [`${E}.measurement_class`]: 'C' },
  ),
  onMinimalAccount(
    'multiple_transfer_readings_for_register',
    `${METER}.transfer_readings`,
    metered({ transfer_readings: ['1', '1'].map((id) => reading('2024-06-01', { register_id: id })) }),
    metered({ transfer_readings: [reading('2024-06-01', { register_id: '1' })] }),
  ),
  onMinimalAccount(
    'reading_meter_fully_billed',
    `${METER}.transfer_readings`,
    metered(
      { transfer_readings: [reading('2024-06-01', { register_id: '1' })] },
      { supply_end_date: '2024-06-01' },
    ),
    metered(
      { transfer_readings: [reading('2024-06-01', { register_id: '1' })] },
      { supply_end_date: '2024-06-02' },
    ),
  ),
  onDomesticAccount(
    'no_transfer_reading_on_exchanged_meter',
    `${G}.meters.0.transfer_readings`,
    {
      ...EXCHANGED,
      [`${G}.meters.0.transfer_readings`]: [],
      [`${G}.meters.0.reading_history`]: [reading('2024-06-01', { billed: true })],
    },
    EXCHANGED,
  ),
  onDomesticAccount(
    'no_reading_on_removed_on',
    `${G}.meters.0`,
    { ...EXCHANGED, [`${G}.meters.0.removed_on`]: '2024-05-31' },
    EXCHANGED,
  ),
  onOccupierAccount(
    'no_reading_on_supply_end_date',
    METER,
    { ...BILLED_TO_THE_END, [`${METER}.reading_history.0.reading_date`]: '2024-05-09' },
    BILLED_TO_THE_END,
    { otherBreaches: [OFF_SUPPLY], otherBreachesWhenHolding: [OFF_SUPPLY] },
  ),
  onOccupierAccount(
    'no_reading_on_supply_end_date',
    METER,
    { ...BILLED_TO_THE_END, [`${METER}.reading_history`]: [billedReading('2024-05-09')] },
    { ...BILLED_TO_THE_END, [`${METER}.reading_history`]: ['2024-05-09', '2024-05-10'].map(billedReading) },
    { otherBreaches: [OFF_SUPPLY], otherBreachesWhenHolding: [OFF_SUPPLY] },
  ),
];

function gasMeter(fields: object): { supply_addresses: object[] } {
  const meter = { meter_serial_number: 'G1', gas_number_of_digits: 5, ...fields };
  return supplied({ last_billed_to_date: '2024-06-01', meters: [meter] }, GAS_POINT);
}

/** A meter point whose meter was exchanged on the first unbilled day, with these fields of the new meter's register. */
function exchangedRegisters(fields: object): Edits {
  return supplied({
    last_billed_to_date: '2024-06-01',
    meters: [
      { meter_serial_number: 'M1', removed_on: '2024-06-01', registers: [REGISTER] },
      { meter_serial_number: 'M2', installed_on: '2024-06-01', registers: [{ ...REGISTER, ...fields }] },
    ],
  });
}

/** The domestic example, whose gas meter was removed on 1 June and fitted again on this day, with the newest first. */
function newestFirst(installed: string): Edits {
  const meter = {
    meter_serial_number: 'E6S0099187',
    gas_number_of_digits: 5,
    transfer_readings: [reading('2024-06-01')],
  };
  return {
    [`${G}.meters.0`]: { ...meter, installed_on: installed },
    [`${G}.meters.1`]: {
      ...meter,
      installed_on: '2015-07-01',
      removed_on: '2024-06-01',
      last_billed_to_date: '2024-06-01',
    },
  };
}
