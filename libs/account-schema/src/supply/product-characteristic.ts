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

@About('The product as it is sold through one channel.')
export class SalesChannelCharacteristic {
  @Choice('Marks a choice by sales channel.', ['sales_channel'], { required: true })
  code: 'sales_channel';

  @Choice('The channel.', SALES_CHANNELS, { required: true, example: 'TELESALES' })
  value: string;
}

@About('The product as it is paid for in one way, for electricity.')
export class ElectricityPaymentMethodCharacteristic {
  @Choice('Marks a choice by way of payment.', ['gbr-electricity.payment-method'], {
    required: true,
    tier: 'gbr',
  })
  code: 'gbr-electricity.payment-method';

  @Choice('The way of payment.', PAYMENT_METHODS, { required: true, tier: 'gbr' })
  value: string;
}

@About('The product for meters with one or several rates.')
export class MeterRateProfileCharacteristic {
  @Choice('Marks a choice by number of rates.', ['gbr-electricity.meter-rate-profile'], {
    required: true,
    tier: 'gbr',
  })
  code: 'gbr-electricity.meter-rate-profile';

  @Choice('One rate or several.', ['flat_rate', 'multi_rate'], { required: true, tier: 'gbr' })
  value: string;
}

@About('The product as it is offered in one region, for gas.')
export class GasRegionCharacteristic {
  @Choice('Marks a choice by region.', ['gbr-gas.meter-point-grid-supply-point-equivalent'], {
    required: true,
    tier: 'gbr',
  })
  code: 'gbr-gas.meter-point-grid-supply-point-equivalent';

  @Choice('The region, as the group of grid supply points there.', GRID_SUPPLY_POINTS, {
    required: true,
    tier: 'gbr',
  })
  value: string;
}

@About('The product as it is paid for in one way, for gas.')
export class GasPaymentMethodCharacteristic {
  @Choice('Marks a choice by way of payment.', ['gbr-gas.payment-method'], { required: true, tier: 'gbr' })
  code: 'gbr-gas.payment-method';

  @Choice('The way of payment.', PAYMENT_METHODS, { required: true, tier: 'gbr' })
  value: string;
}

export type ProductCharacteristic =
  | SalesChannelCharacteristic
  | ElectricityPaymentMethodCharacteristic
  | MeterRateProfileCharacteristic
  | GasRegionCharacteristic
  | GasPaymentMethodCharacteristic;

export const anyProductCharacteristic = unionOf(
  'ProductCharacteristic',
  'One choice among the forms of a product; `code` says what is chosen by.',
  'code',
  {
    sales_channel: SalesChannelCharacteristic,
    'gbr-electricity.payment-method': ElectricityPaymentMethodCharacteristic,
    'gbr-electricity.meter-rate-profile': MeterRateProfileCharacteristic,
    'gbr-gas.meter-point-grid-supply-point-equivalent': GasRegionCharacteristic,
    'gbr-gas.payment-method': GasPaymentMethodCharacteristic,
  },
);
