import { AMOUNTS } from '../vocabulary/amounts';
import { Choice, Decimal, Dictionary, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A tax included in a charge.')
export class TaxItem {
  @Text('Type of tax.', { required: true, example: 'VAT' }) tax_type: string;
  @Choice('Unit of the tax rate.', ['PROPORTION', 'CURRENCY_PER_KWH'], { required: true }) unit_type: string;

  @Decimal('Tax rate.', { amount: AMOUNTS.taxRate, required: true, whole: 15, places: 5, example: '0.05' })
  rate: string;

  @Decimal('Value that the rate was applied to: an amount, or kWh.', {
    amount: AMOUNTS.charge,
    required: true,
    whole: 15,
    places: 5,
    example: '67.88',
  })
  value_taxed: string;

  /** Not rounded to the currency, unlike amounts that change a balance. */
  @Decimal('Amount of tax.', {
    amount: AMOUNTS.charge,
    required: true,
    whole: 10,
    places: 10,
    example: '3.39',
  })
  amount: string;

  @Dictionary('Additional parameters.', { default: {} }) params?: Record<string, unknown>;
}
