import { Choice } from '../vocabulary/decorators';
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
];

const PAYMENT_METHODS = ['NON_DIRECT_DEBIT', 'PREPAYMENT', 'DIRECT_DEBIT'];

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
];

@About('The sales channel of the product.')
export class SalesChannelCharacteristic {
  @Choice('Code of the characteristic: sales channel.', ['sales_channel'], { required: true })
  code: 'sales_channel';

  @Choice('Sales channel.', SALES_CHANNELS, { required: true, example: 'TELESALES' }) value: string;
}

@About('The way of payment of the product, for electricity.')
export class ElectricityPaymentMethodCharacteristic {
  @Choice('Code of the characteristic: way of payment.', ['gbr-electricity.payment-method'], {
    required: true,
    tier: 'gbr',
  })
  code: 'gbr-electricity.payment-method';

  @Choice('Way of payment.', PAYMENT_METHODS, { required: true, tier: 'gbr' }) value: string;
}

@About('The number of rates of the product.')
export class MeterRateProfileCharacteristic {
  @Choice('Code of the characteristic: number of rates.', ['gbr-electricity.meter-rate-profile'], {
    required: true,
    tier: 'gbr',
  })
  code: 'gbr-electricity.meter-rate-profile';

  @Choice('Single rate or multiple rates.', ['flat_rate', 'multi_rate'], { required: true, tier: 'gbr' })
  value: string;
}

@About('The region of the product, for gas.')
export class GasRegionCharacteristic {
  @Choice('Code of the characteristic: region.', ['gbr-gas.meter-point-grid-supply-point-equivalent'], {
    required: true,
    tier: 'gbr',
  })
  code: 'gbr-gas.meter-point-grid-supply-point-equivalent';

  @Choice('Region, as a group of grid supply points.', GRID_SUPPLY_POINTS, { required: true, tier: 'gbr' })
  value: string;
}

@About('The way of payment of the product, for gas.')
export class GasPaymentMethodCharacteristic {
  @Choice('Code of the characteristic: way of payment.', ['gbr-gas.payment-method'], {
    required: true,
    tier: 'gbr',
  })
  code: 'gbr-gas.payment-method';

  @Choice('Way of payment.', PAYMENT_METHODS, { required: true, tier: 'gbr' }) value: string;
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
