import { Choice, Flag, Integer } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The billing calendar of the account. Intended for British business accounts.')
export class AccountBillingOptions {
  @Flag('Whether bills are triggered by industry data (true) or by this calendar (false).')
  use_industry_billing?: boolean;

  @Choice('Length of one billing period.', ['MONTHLY', 'QUARTERLY'], { nullable: true, example: 'QUARTERLY' })
  period_length?: string | null;

  @Integer('Number of period lengths that one bill covers.', { example: 1 })
  period_length_multiplier?: number;

  @Integer('Day of the month on which a period begins.', { nullable: true, min: 1, max: 28 })
  period_start_day?: number | null;

  @Integer('Month in which a period begins.', { nullable: true, min: 1, max: 12 })
  period_start_month?: number | null;
}
