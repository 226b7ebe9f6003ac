import { portfolioNumber } from '../formats/codes';
import { CalendarDate, Decimal, ListOf, Moment, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { anyProductCharacteristic, type ProductCharacteristic } from './product-characteristic';

@About('The broker who brought an agreement about.')
export class AgreementIntermediary {
  @Text("Number of the broker's portfolio, which must exist.", { required: true, format: portfolioNumber })
  portfolio_number: string;

  @Text("Identifier of the relationship in the supplier's system.", { max: 255, nullable: true })
  external_id?: string | null;
}

@About("A price that replaces the product's own.")
export class RateOverride {
  @Text('Rate band whose price is replaced.', { required: true, max: 255, example: 'CONSUMPTION_STANDARD' })
  rate_band: string;

  @Decimal('The price.', { required: true, whole: 10, places: 10, example: '0.2310' })
  unit_price: string;
}

/** What is said alike of agreements on electricity and on gas. */
export abstract class AnyAgreement {
  @Text('Tariff, one of a product on offer.', { required: true, example: 'E-VAR' })
  tariff_code: string;

  @CalendarDate('First day.', { required: true, example: '2024-01-01' })
  effective_from: string;

  @CalendarDate('Day on which it no longer counts; null while it runs on.', { nullable: true })
  effective_to?: string | null;

  @Moment('When it was agreed.', { nullable: true })
  agreed_at?: string | null;

  @Moment('When its prices were agreed.', { nullable: true })
  rates_agreed_at?: string | null;

  @ListOf('Choices among the forms of the product, one of a code.', anyProductCharacteristic, {
    nullable: true,
  })
  characteristics?: ProductCharacteristic[] | null;

  @ListOf("Prices that replace the product's, by rate band.", RateOverride, { nullable: true })
  rate_overrides?: RateOverride[] | null;

  @Text('Contract of the business that it falls under.', { nullable: true })
  business_contract_identifier?: string | null;

  @Nested('Broker to be tied to it.', AgreementIntermediary, { nullable: true })
  intermediary?: AgreementIntermediary | null;
}
