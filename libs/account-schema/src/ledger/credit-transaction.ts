import { Choice, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { CREDIT_REASONS } from './credit-reason';
import { AnyTransaction } from './transaction';

@About('Something given to the customer: it raises the balance.')
export class CreditTransaction extends AnyTransaction {
  @Choice('Marks a credit.', ['CREDIT'], { required: true })
  type: 'CREDIT';

  @Choice('Why it was given.', CREDIT_REASONS, { required: true, example: 'GOODWILL_PAYMENT' })
  reason: string;

  @Text('Words that the customer may read.', { example: 'For the late reply to your letter.' })
  display_note?: string;
}
