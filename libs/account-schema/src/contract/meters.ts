import {
  electricityMeterSerialNumber,
  gasMeterSerialNumber,
  smartDeviceIdentifier,
} from '../formats/formats';
import { AMOUNTS } from '../vocabulary/amounts';
import {
  CalendarDate,
  Choice,
  Code,
  Decimal,
  Flag,
  Integer,
  ListOf,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

const READING_TYPES = ['CUSTOMER', 'ESTIMATE', 'ROUTINE', 'SMART', 'REGULAR'] as const;

@About('A meter reading.')
export class Reading {
  @CalendarDate('Day of the reading.', { required: true, example: '2024-06-01' }) reading_date: string;

  @Choice('How the reading was obtained.', READING_TYPES, { required: true, example: 'SMART' })
  reading_type: (typeof READING_TYPES)[number];

  @Decimal('Value of the reading.', { required: true, example: '14420.0' }) reading_value: string;

  @Code('Identifier of the register, including leading zeros; required for electricity.', {
    maxLength: 32,
    example: '01',
  })
  register_id?: string;
}

const VALIDATION_STATUSES = ['VALIDATED', 'UNVALIDATED', 'FAILED'] as const;

@About('A historical meter reading.')
export class HistoricalReading extends Reading {
  @Flag('Whether the reading was billed.', { required: true, example: true }) billed: boolean;

  @Choice('Result of the plausibility check.', VALIDATION_STATUSES, { default: 'VALIDATED' })
  validation_status?: (typeof VALIDATION_STATUSES)[number];
}

@About('A register of an electricity meter.')
export class Register {
  @Code('Identifier of the register, including leading zeros.', {
    required: true,
    maxLength: 32,
    example: '01',
  })
  register_id: string;

  @CalendarDate("First day that has not been billed on the register; overrides the meter point's.")
  last_billed_to_date?: string;

  @Code('Time pattern regime.', { tier: 'gbr', example: '00001', list: 'tprs' }) tpr?: string;

  @Integer('Number of digits that the register shows.', {
    required: true,
    min: 1,
    max: 15,
    tier: 'gbr',
    example: 5,
  })
  number_of_digits: number;

  @Flag('Whether the register is a settlement register, which is billed; defaults to true.', { tier: 'gbr' })
  is_settlement?: boolean;
}

/** The fields that electricity and gas prepayment details share. */
abstract class AnyPrepayDetails {
  @Decimal('Credit on the meter when the last statement closed.', {
    amount: AMOUNTS.meterCredit,
    required: true,
    example: '12.40',
  })
  credit_balance: string;

  @Decimal('Debt on the meter at the same time.', { amount: AMOUNTS.debt, required: true, example: '0.00' })
  debt_balance: string;

  @CalendarDate('Day of the vend reading, the last billed day.', { required: true })
  transfer_vend_read_date: string;
}

@About('Balance on a prepayment meter for electricity.', { tier: 'gbr' })
export class ElectricityPrepayDetails extends AnyPrepayDetails {}

@About('How a gas meter recovers its debt.', { tier: 'gbr' })
export class GasDebtRepaymentOptions {
  @Decimal('Minimum recovered per week; defaults to zero.', { amount: AMOUNTS.payment, example: '1.00' })
  weekly_min?: string;

  @Decimal('Maximum recovered per week; defaults to zero.', { amount: AMOUNTS.payment, example: '5.00' })
  weekly_max?: string;
}

@About('Balance on a prepayment meter for gas.', { tier: 'gbr' })
export class GasPrepayDetails extends AnyPrepayDetails {
  @Nested('How the meter recovers its debt.', GasDebtRepaymentOptions)
  gas_debt_repayment_options?: GasDebtRepaymentOptions;
}

const SMART_TYPES = ['NONE', 'SMETS1', 'SMETS1_ENROLLED', 'SMETS2'] as const;

/** The fields that electricity and gas meters share. */
export abstract class AnyMeter {
  @CalendarDate('Day on which the meter was installed.', { nullable: true, example: '2021-02-20' })
  installed_on?: string | null;

  @CalendarDate('Day on which the meter was removed.', { nullable: true }) removed_on?: string | null;

  @ListOf('Readings of the first unbilled day, from which billing continues.', Reading, { inExample: true })
  transfer_readings?: Reading[];

  @ListOf('Historical readings; readings after the last billed day must be unbilled.', HistoricalReading)
  reading_history?: HistoricalReading[];

  @Choice('Generation of the smart meter; left out if the meter is not smart.', SMART_TYPES, {
    default: 'NONE',
    tier: 'gbr',
  })
  smart_type?: (typeof SMART_TYPES)[number];

  @CalendarDate('Day on which the smart meter was commissioned.', { nullable: true, tier: 'gbr' })
  smart_commissioned_on?: string | null;

  @Text('Device identifier of the smart meter.', {
    nullable: true,
    format: smartDeviceIdentifier,
    tier: 'gbr',
  })
  smart_device_id?: string | null;

  @Flag('Whether the meter is a prepayment meter.', { default: false, tier: 'gbr' }) is_prepay?: boolean;

  @Code('Reference of the prepaying customer; required for active electricity meters.', {
    maxLength: 20,
    tier: 'gbr',
  })
  prepay_customer_reference_number?: string;
}

@About('An electricity meter.')
export class ElectricityMeter extends AnyMeter {
  @Code('Serial number of the meter.', {
    required: true,
    maxLength: 32,
    format: electricityMeterSerialNumber,
    example: 'Z21A004410',
  })
  meter_serial_number: string;

  @ListOf('Registers of the meter.', Register, { inExample: true }) registers?: Register[];

  @Nested('Balance on the meter, if it is a prepayment meter.', ElectricityPrepayDetails, { tier: 'gbr' })
  prepay_details?: ElectricityPrepayDetails;
}

const UNITS_OF_MEASURE = ['SCFH', 'SCMH'] as const;

@About('A gas meter.')
export class GasMeter extends AnyMeter {
  @Code('Serial number of the meter.', {
    required: true,
    maxLength: 32,
    format: gasMeterSerialNumber,
    example: 'E6S0099187',
  })
  meter_serial_number: string;

  @CalendarDate("First day that has not been billed on the meter; overrides the meter point's.")
  last_billed_to_date?: string;

  @Integer('Number of digits that the meter shows.', {
    required: true,
    min: 1,
    max: 15,
    tier: 'gbr',
    example: 5,
  })
  gas_number_of_digits: number;

  @Choice('Unit of measurement: cubic metres (SCMH) or cubic feet (SCFH).', UNITS_OF_MEASURE, {
    default: 'SCMH',
    tier: 'gbr',
  })
  units_of_measure?: (typeof UNITS_OF_MEASURE)[number];

  @Nested('Balance on the meter, if it is a prepayment meter.', GasPrepayDetails, { tier: 'gbr' })
  prepay_details?: GasPrepayDetails;
}
