import { CalendarDate, Decimal } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A share of the supply that is exempt from a tax for a period.')
export class TaxExemption {
  @CalendarDate('First day of the exemption.', { required: true, tier: 'gbr' }) effective_from: string;

  @CalendarDate('Day on which the exemption ends; must be after its start.', { tier: 'gbr' })
  effective_to?: string;

  @Decimal('The exempt share, where 1.0 is the whole supply.', {
    required: true,
    whole: 1,
    places: 2,
    tier: 'gbr',
    example: '0.5',
  })
  rate: string;
}
