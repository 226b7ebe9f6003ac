import { Choice, Decimal, Dictionary, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('One tax within a charge.')
export class TaxItem {
  @Text('Which tax.', { required: true, example: 'VAT' })
  tax_type: string;

  @Choice('What the rate is a rate of.', ['PROPORTION', 'CURRENCY_PER_KWH'], { required: true })
  unit_type: string;

  @Decimal('The rate.', { required: true, whole: 15, places: 5, example: '0.05' })
  rate: string;

  @Decimal('What the rate was applied to.', { required: true, whole: 15, places: 5, example: '67.88' })
  value_taxed: string;

  /** Not yet rounded to the currency, unlike the amounts that change a balance. */
  @Decimal('The tax, in major currency units.', { required: true, whole: 10, places: 10, example: '3.39' })
  amount: string;

  @Dictionary('Further parameters.', { default: {} })
  params?: Record<string, unknown>;
}
