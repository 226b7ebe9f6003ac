import { portfolioNumber } from '../formats/formats';
import { AMOUNTS } from '../vocabulary/amounts';
import {
  CalendarDate,
  Choice,
  Code,
  Decimal,
  ListOf,
  Moment,
  Nested,
  Text,
  TimeOfDay,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { unionOf } from '../vocabulary/union';

const SALES_CHANNELS = [
  'PARTNERSHIPS',
  'NEW_TENANT',
  'MOVE_IN',
  'DIRECT',
  'DEBT_COLLECTION_AGENCY',
  'DIGI_TELESALES',
  'LANDLORD',
  'ACQUISITION',
  'TELESALES',
  'FIELD_SALES',
  'HIGH_REFERRER',
  'PARENT_POWER',
  'WORKPLACE_POP_UP',
  'GIFT_OF_KIT',
  'PEOPLE_POWER',
  'AGGREGATOR',
  'PRICE_COMPARISON',
  'SUPPLIER_OF_LAST_RESORT',
  'EVENTS',
  'BROKER',
] as const;

const PAYMENT_METHODS = ['NON_DIRECT_DEBIT', 'PREPAYMENT', 'DIRECT_DEBIT'] as const;

const GRID_SUPPLY_POINTS = [
  '_E',
  '_H',
  '_D',
  '_M',
  '_A',
  '_F',
  '_K',
  '_P',
  '_C',
  '_L',
  '_N',
  '_B',
  '_J',
  '_G',
] as const;

@About('The sales channel of the product.')
export class SalesChannelCharacteristic {
  @Choice('Code of the characteristic: sales channel.', ['sales_channel'], { required: true })
  code: 'sales_channel';

  @Choice('Sales channel.', SALES_CHANNELS, { required: true, example: 'TELESALES' })
  value: (typeof SALES_CHANNELS)[number];
}

@About('The way of payment of the product, for electricity.', { tier: 'gbr' })
export class ElectricityPaymentMethodCharacteristic {
  @Choice('Code of the characteristic: way of payment.', ['gbr-electricity.payment-method'], {
    required: true,
  })
  code: 'gbr-electricity.payment-method';

  @Choice('Way of payment.', PAYMENT_METHODS, { required: true }) value: (typeof PAYMENT_METHODS)[number];
}

const RATE_PROFILES = ['flat_rate', 'multi_rate'] as const;

@About('The number of rates of the product.', { tier: 'gbr' })
export class MeterRateProfileCharacteristic {
  @Choice('Code of the characteristic: number of rates.', ['gbr-electricity.meter-rate-profile'], {
    required: true,
  })
  code: 'gbr-electricity.meter-rate-profile';

  @Choice('Single rate or multiple rates.', RATE_PROFILES, { required: true })
  value: (typeof RATE_PROFILES)[number];
}

@About('The region of the product, for gas.', { tier: 'gbr' })
export class GasRegionCharacteristic {
  @Choice('Code of the characteristic: region.', ['gbr-gas.meter-point-grid-supply-point-equivalent'], {
    required: true,
  })
  code: 'gbr-gas.meter-point-grid-supply-point-equivalent';

  @Choice('Region, as a group of grid supply points.', GRID_SUPPLY_POINTS, { required: true })
  value: (typeof GRID_SUPPLY_POINTS)[number];
}

@About('The way of payment of the product, for gas.', { tier: 'gbr' })
export class GasPaymentMethodCharacteristic {
  @Choice('Code of the characteristic: way of payment.', ['gbr-gas.payment-method'], { required: true })
  code: 'gbr-gas.payment-method';

  @Choice('Way of payment.', PAYMENT_METHODS, { required: true }) value: (typeof PAYMENT_METHODS)[number];
}

/** A characteristic of any code. */
export type ProductCharacteristic =
  | SalesChannelCharacteristic
  | ElectricityPaymentMethodCharacteristic
  | MeterRateProfileCharacteristic
  | GasRegionCharacteristic
  | GasPaymentMethodCharacteristic;

/** The union of all characteristics, by `code`. */
export const anyProductCharacteristic = unionOf(
  'ProductCharacteristic',
  'A chosen characteristic of a product; `code` selects the characteristic.',
  'code',
  {
    sales_channel: SalesChannelCharacteristic,
    'gbr-electricity.payment-method': ElectricityPaymentMethodCharacteristic,
    'gbr-electricity.meter-rate-profile': MeterRateProfileCharacteristic,
    'gbr-gas.meter-point-grid-supply-point-equivalent': GasRegionCharacteristic,
    'gbr-gas.payment-method': GasPaymentMethodCharacteristic,
  },
);

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
] as const;

const RATE_PAYMENT_METHODS = ['DD', 'NDD', 'PP', ''] as const;

/** The fields that negotiated electricity and gas rates share. */
abstract class AnyBespokeRate {
  @Code('Serial number of the meter that the rate is for.', { maxLength: 32, example: 'D10B22019' })
  meter_serial_number?: string;

  @Choice(
    'Way of payment that the rate is for: direct debit (DD), other (NDD) or prepayment (PP).',
    RATE_PAYMENT_METHODS,
    { nullable: true },
  )
  payment_method?: (typeof RATE_PAYMENT_METHODS)[number] | null;

  @Decimal('Standing charge, without VAT.', {
    amount: AMOUNTS.penceOfDay,
    required: true,
    whole: 7,
    places: 5,
    example: '61.50',
  })
  standing_charge: string;
}

@About('The negotiated rate of one register.', { tier: 'gbr' })
export class BespokeRegisterRate {
  @Code('Identifier of the register, unless a rate type is given.', { maxLength: 32 }) register_id?: string;

  @Choice('Type of rate, unless a register is given.', RATE_TYPES, { example: 'ECO7_DAY' })
  rate_type?: (typeof RATE_TYPES)[number];

  @TimeOfDay('Time of day from which the rate applies.') start_time?: string;

  @Decimal('Price, without VAT.', {
    amount: AMOUNTS.penceOfUnit,
    required: true,
    whole: 7,
    places: 5,
    example: '27.10',
  })
  unit_rate: string;
}

@About('A negotiated rate for electricity.', { tier: 'gbr' })
export class ElectricityBespokeRate extends AnyBespokeRate {
  @ListOf('Rates by register.', BespokeRegisterRate, { required: true }) registers: BespokeRegisterRate[];
}

@About('A negotiated rate for gas.', { tier: 'gbr' })
export class GasBespokeRate extends AnyBespokeRate {
  @Decimal('Price of one kWh, without VAT.', {
    amount: AMOUNTS.penceOfUnit,
    required: true,
    whole: 7,
    places: 5,
    example: '6.20',
  })
  unit_rate: string;
}

@About('The broker who arranged an agreement.')
export class AgreementIntermediary {
  @Text("Number of the broker's portfolio, which must exist.", { required: true, format: portfolioNumber })
  portfolio_number: string;

  @Code("Identifier of the relationship in the supplier's system.", { maxLength: 255, nullable: true })
  external_id?: string | null;
}

@About("A rate that replaces the product's own.")
export class RateOverride {
  @Text('Rate band that is replaced.', { required: true, maxLength: 255, example: 'CONSUMPTION_STANDARD' })
  rate_band: string;

  @Decimal('The price.', { amount: AMOUNTS.price, required: true, example: '0.2310' }) unit_price: string;
}

/** The fields that electricity and gas agreements share. */
export abstract class AnyAgreement {
  @Code("Code of the tariff, from the operator's list of products.", { required: true, example: 'E-VAR' })
  tariff_code: string;

  @CalendarDate('First day of the agreement.', { required: true, example: '2024-01-01' })
  effective_from: string;

  @CalendarDate('End of the agreement, exclusive; null if open-ended.', { nullable: true })
  effective_to?: string | null;

  @Moment('When the agreement was made.', { nullable: true }) agreed_at?: string | null;
  @Moment('When the rates were agreed.', { nullable: true }) rates_agreed_at?: string | null;

  @ListOf('Chosen characteristics of the product, at most one for each code.', anyProductCharacteristic, {
    nullable: true,
  })
  characteristics?: ProductCharacteristic[] | null;

  @ListOf("Rates that replace the product's own, by rate band.", RateOverride, { nullable: true })
  rate_overrides?: RateOverride[] | null;

  @Code('Identifier of the business contract that the agreement belongs to.', { nullable: true })
  business_contract_identifier?: string | null;

  @Nested('Broker of the agreement.', AgreementIntermediary, { nullable: true })
  intermediary?: AgreementIntermediary | null;
}

@About('An agreement on the price of electricity at a meter point.')
export class ElectricityAgreement extends AnyAgreement {
  @ListOf('Negotiated rates; for business accounts.', ElectricityBespokeRate, { tier: 'gbr' })
  bespoke_tariff_rates?: ElectricityBespokeRate[];
}

@About('An agreement on the price of gas at a meter point.')
export class GasAgreement extends AnyAgreement {
  @ListOf('Negotiated rates; for business accounts.', GasBespokeRate, { tier: 'gbr' })
  bespoke_tariff_rates?: GasBespokeRate[];
}
