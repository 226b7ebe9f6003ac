import { AMOUNTS } from '../vocabulary/amounts';
import { Choice, Decimal, ListOf, Text, TimeOfDay } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

const RATE_TYPES = [
  'STANDARD',
  'ECO7_DAY',
  'ECO7_NIGHT',
  'OFF_PEAK',
  'PEAK',
  'WEEKDAY',
  'OFF_PEAK_WEEKENDS',
  'WEEKENDS_OTHER',
  'SUMMER',
  'SUMMER_PEAK',
  'SUMMER_OFF_PEAK',
  'WINTER',
  'WINTER_PEAK',
  'WINTER_OFF_PEAK',
  'NUCLEAR_RAB',
  'SUMMER_WEEKENDS_OFF_PEAK_WINTER',
  'TNUOS',
  'CAPACITY_MARKET',
  'HMC_GUARANTEE_ADVANCE',
  'HMC_GUARANTEE_FULL',
  'EV_DEVICE',
  'EV_DEVICE_PEAK',
  'EV_DEVICE_OFF_PEAK',
];

/** The fields that negotiated electricity and gas rates share. */
abstract class AnyBespokeRate {
  @Text('Serial number of the meter that the rate is for.', {
    identifies: true,
    max: 32,
    tier: 'gbr',
    example: 'D10B22019',
  })
  meter_serial_number?: string;

  @Choice(
    'Way of payment that the rate is for: direct debit (DD), other (NDD) or prepayment (PP).',
    ['DD', 'NDD', 'PP', ''],
    { nullable: true, tier: 'gbr' },
  )
  payment_method?: string | null;

  @Decimal('Standing charge, without VAT.', {
    amount: AMOUNTS.penceOfDay,
    required: true,
    whole: 7,
    places: 5,
    tier: 'gbr',
    example: '61.50',
  })
  standing_charge: string;
}

@About('The negotiated rate of one register.')
export class BespokeRegisterRate {
  @Text('Identifier of the register, unless a rate type is given.', {
    identifies: true,
    max: 32,
    tier: 'gbr',
  })
  register_id?: string;

  @Choice('Type of rate, unless a register is given.', RATE_TYPES, { tier: 'gbr', example: 'ECO7_DAY' })
  rate_type?: string;

  @TimeOfDay('Time of day from which the rate applies.', { tier: 'gbr' }) start_time?: string;

  @Decimal('Price, without VAT.', {
    amount: AMOUNTS.penceOfUnit,
    required: true,
    whole: 7,
    places: 5,
    tier: 'gbr',
    example: '27.10',
  })
  unit_rate: string;
}

@About('A negotiated rate for electricity.')
export class ElectricityBespokeRate extends AnyBespokeRate {
  @ListOf('Rates by register.', BespokeRegisterRate, { required: true, tier: 'gbr' })
  registers: BespokeRegisterRate[];
}

@About('A negotiated rate for gas.')
export class GasBespokeRate extends AnyBespokeRate {
  @Decimal('Price of one kWh, without VAT.', {
    amount: AMOUNTS.penceOfUnit,
    required: true,
    whole: 7,
    places: 5,
    tier: 'gbr',
    example: '6.20',
  })
  unit_rate: string;
}
