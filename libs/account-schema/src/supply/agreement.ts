import { AMOUNTS } from '../vocabulary/amounts';
import { portfolioNumber } from '../formats/codes';
import { CalendarDate, Decimal, ListOf, Moment, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { anyProductCharacteristic, type ProductCharacteristic } from './product-characteristic';

@About('The broker who arranged an agreement.')
export class AgreementIntermediary {
  @Text("Number of the broker's portfolio, which must exist.", { required: true, format: portfolioNumber })
  portfolio_number: string;

  @Text("Identifier of the relationship in the supplier's system.", {
    identifies: true,
    max: 255,
    nullable: true,
  })
  external_id?: string | null;
}

@About("A rate that replaces the product's own.")
export class RateOverride {
  @Text('Rate band that is replaced.', { required: true, max: 255, example: 'CONSUMPTION_STANDARD' })
  rate_band: string;

  @Decimal('The price.', { amount: AMOUNTS.price, required: true, whole: 10, places: 10, example: '0.2310' })
  unit_price: string;
}

/** The fields that electricity and gas agreements share. */
export abstract class AnyAgreement {
  @Text("Code of the tariff, from the operator's list of products.", {
    identifies: true,
    required: true,
    example: 'E-VAR',
  })
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

  @Text('Identifier of the business contract that the agreement belongs to.', {
    identifies: true,
    nullable: true,
  })
  business_contract_identifier?: string | null;

  @Nested('Broker of the agreement.', AgreementIntermediary, { nullable: true })
  intermediary?: AgreementIntermediary | null;
}
