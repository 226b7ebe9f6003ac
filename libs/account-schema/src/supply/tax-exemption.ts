import { CalendarDate, Decimal } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A share of the supply that is exempt from a tax, for a time.')
export class TaxExemption {
  @CalendarDate('First day.', { required: true, tier: 'gbr' })
  effective_from: string;

  @CalendarDate('Day on which it ends; must come after its start.', { tier: 'gbr' })
  effective_to?: string;

  @Decimal('The exempt share: 1.0 is all of it.', {
    required: true,
    whole: 1,
    places: 2,
    tier: 'gbr',
    example: '0.5',
  })
  rate: string;
}
