import { taxYear } from '../formats/codes';
import { Choice, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A payment made under the British warm home discount.')
export class WarmHomeDiscount {
  @Text('Tax year of the payment.', { format: taxYear, tier: 'gbr', example: '2023/24' }) tax_year?: string;

  @Choice('How the discount was paid.', ['CREDIT', 'PREPAY'], { tier: 'gbr', default: 'CREDIT' })
  account_type?: string;

  @Choice("The customer's group in the scheme.", ['CORE', 'BROADER'], { tier: 'gbr', default: 'CORE' })
  group?: string;
}
