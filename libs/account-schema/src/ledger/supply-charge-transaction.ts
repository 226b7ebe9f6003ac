import { Choice, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { LineItem } from './line-item';
import { TaxItem } from './tax-item';
import { AnyTransaction } from './transaction';

@About('What the customer owes for supply: it lowers the balance.')
export class SupplyChargeTransaction extends AnyTransaction {
  @Choice('Marks a charge for supply.', ['SUPPLY_CHARGE'], { required: true })
  type: 'SUPPLY_CHARGE';

  @Text('Product that was charged.', { required: true, example: 'HOME-VAR' })
  product_code: string;

  @Text('Supply point that was charged; lines with a rate specification need it.', {
    example: '1000000000110',
  })
  supply_point_identifier?: string;

  @ListOf('The charge by rate and time.', LineItem, { required: true })
  line_items: LineItem[];

  @ListOf('Taxes within the amount; none unless given.', TaxItem)
  tax_items?: TaxItem[];

  @Text('Words that the customer may read.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}
