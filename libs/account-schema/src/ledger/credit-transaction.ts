import { Choice, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { CREDIT_REASONS } from './credit-reason';
import { ReversibleTransaction } from './transaction';

@About('A credit to the customer; raises the balance.')
export class CreditTransaction extends ReversibleTransaction {
  @Choice('Type of the transaction: a credit.', ['CREDIT'], { required: true }) type: 'CREDIT';

  @Choice('Reason for the credit.', CREDIT_REASONS, { required: true, example: 'GOODWILL_PAYMENT' })
  reason: string;

  @Text('Note that the customer may see.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}
