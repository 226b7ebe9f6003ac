import { Choice, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { LineItem } from './line-item';
import { TaxItem } from './tax-item';
import { ReversibleTransaction } from './transaction';

@About('A charge for supply; lowers the balance.')
export class SupplyChargeTransaction extends ReversibleTransaction {
  @Choice('Type of the transaction: a charge for supply.', ['SUPPLY_CHARGE'], { required: true })
  type: 'SUPPLY_CHARGE';

  @Text('Code of the product that was charged.', {
    identifies: true,
    required: true,
    example: 'HOME-VAR',
    list: 'products',
  })
  product_code: string;

  @Text('Supply point that was charged; required for line items with a rate specification.', {
    identifies: true,
    example: '1000000000110',
  })
  supply_point_identifier?: string;

  @ListOf('The charge broken down by rate and period.', LineItem, { required: true }) line_items: LineItem[];
  @ListOf('Taxes included in the amount; defaults to none.', TaxItem) tax_items?: TaxItem[];

  @Text('Note that the customer may see.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}
