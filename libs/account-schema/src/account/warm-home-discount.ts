import { taxYear } from '../formats/codes';
import { Choice, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A payment of the British warm home discount that was made.')
export class WarmHomeDiscount {
  @Text('Tax year it was made for.', { format: taxYear, tier: 'gbr', example: '2023/24' })
  tax_year?: string;

  @Choice('How it was paid out.', ['CREDIT', 'PREPAY'], { tier: 'gbr', default: 'CREDIT' })
  account_type?: string;

  @Choice("The customer's group in the scheme.", ['CORE', 'BROADER'], { tier: 'gbr', default: 'CORE' })
  group?: string;
}
