import { Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A need that entitles a person to priority services.')
export class PriorityServicesRecord {
  @Text('Category, by its code in the electricity industry.', {
    nullable: true,
    default: '',
    tier: 'gbr',
    example: '08',
  })
  elec_industry_code?: string | null;

  @Text('Category, by its code in the gas industry.', { nullable: true, default: '', tier: 'gbr' })
  gas_industry_code?: string | null;

  @Text('Category, in words.', { nullable: true, default: '', tier: 'gbr' })
  description?: string | null;

  @Text('What else should be known.', { nullable: true, default: '', tier: 'gbr' })
  additional_information?: string | null;

  @Moment('Since when.', { tier: 'gbr' })
  effective_from?: string;

  @Moment('Until when; temporary categories must say so.', { nullable: true, tier: 'gbr' })
  effective_to?: string | null;
}
