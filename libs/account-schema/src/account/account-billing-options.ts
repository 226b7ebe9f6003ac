import { Choice, Flag, Integer } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('How often, and from which day, the account is billed. Meant for British business accounts.')
export class AccountBillingOptions {
  @Flag('Whether industry data starts a bill (true) or the calendar described here does (false).')
  use_industry_billing?: boolean;

  @Choice('Length of one billing period.', ['MONTHLY', 'QUARTERLY'], { nullable: true, example: 'QUARTERLY' })
  period_length?: string | null;

  @Integer('How many period lengths one bill covers.', { example: 1 })
  period_length_multiplier?: number;

  @Integer('Day of the month on which a period begins.', { nullable: true, min: 1, max: 28 })
  period_start_day?: number | null;

  @Integer('Month in which a period begins.', { nullable: true, min: 1, max: 12 })
  period_start_month?: number | null;
}
