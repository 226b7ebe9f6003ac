import { Choice, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { CHARGE_REASONS } from './charge-reason';
import { TaxItem } from './tax-item';
import { AnyTransaction } from './transaction';

@About('Something the customer owes that is not for supply: it lowers the balance.')
export class ChargeTransaction extends AnyTransaction {
  @Choice('Marks a charge.', ['CHARGE'], { required: true })
  type: 'CHARGE';

  @Choice('Why it was made.', CHARGE_REASONS, { required: true, example: 'IMPORTED_CHARGE' })
  reason: string;

  @ListOf('Taxes within the amount; none unless given.', TaxItem)
  tax_items?: TaxItem[];

  @Text('Words that the customer may read.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}
