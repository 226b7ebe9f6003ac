import { Choice, ListOf, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { CHARGE_REASONS } from './charge-reason';
import { TaxItem } from './tax-item';
import { ReversibleTransaction } from './transaction';

@About('A charge for something other than supply; lowers the balance.')
export class ChargeTransaction extends ReversibleTransaction {
  @Choice('Type of the transaction: a charge.', ['CHARGE'], { required: true }) type: 'CHARGE';

  @Choice('Reason for the charge.', CHARGE_REASONS, { required: true, example: 'IMPORTED_CHARGE' })
  reason: string;

  @ListOf('Taxes included in the amount; defaults to none.', TaxItem) tax_items?: TaxItem[];

  @Text('Note that the customer may see.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}
