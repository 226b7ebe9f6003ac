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

/** What is said alike of negotiated prices of electricity and of gas. */
abstract class AnyBespokeRate {
  @Text('Meter that the price is for.', { max: 32, tier: 'gbr', example: 'D10B22019' })
  meter_serial_number?: string;

  @Choice(
    'Way of payment that the price is for: direct debit (DD), other (NDD) or prepayment (PP).',
    ['DD', 'NDD', 'PP', ''],
    {
      nullable: true,
      tier: 'gbr',
    },
  )
  payment_method?: string | null;

  @Decimal('Standing charge in pence a day, without VAT.', {
    required: true,
    whole: 7,
    places: 5,
    tier: 'gbr',
    example: '61.50',
  })
  standing_charge: string;
}

@About('The negotiated price of one register.')
export class BespokeRegisterRate {
  @Text('The register, unless a rate type is given.', { max: 32, tier: 'gbr' })
  register_id?: string;

  @Choice('The rate type, unless a register is given.', RATE_TYPES, { tier: 'gbr', example: 'ECO7_DAY' })
  rate_type?: string;

  @TimeOfDay('Time of day at which the price begins to hold.', { tier: 'gbr' })
  start_time?: string;

  @Decimal('Price in pence a unit, without VAT.', {
    required: true,
    whole: 7,
    places: 5,
    tier: 'gbr',
    example: '27.10',
  })
  unit_rate: string;
}

@About('A negotiated price of electricity.')
export class ElectricityBespokeRate extends AnyBespokeRate {
  @ListOf('Prices by register.', BespokeRegisterRate, { required: true, tier: 'gbr' })
  registers: BespokeRegisterRate[];
}

@About('A negotiated price of gas.')
export class GasBespokeRate extends AnyBespokeRate {
  @Decimal('Price in pence a kWh, without VAT.', {
    required: true,
    whole: 7,
    places: 5,
    tier: 'gbr',
    example: '6.20',
  })
  unit_rate: string;
}
