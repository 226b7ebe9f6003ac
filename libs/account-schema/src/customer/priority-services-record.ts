import { Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A need that entitles a person to priority services.')
export class PriorityServicesRecord {
  @Text('Code of the category in the electricity industry.', {
    identifies: true,
    nullable: true,
    default: '',
    tier: 'gbr',
    example: '08',
  })
  elec_industry_code?: string | null;

  @Text('Code of the category in the gas industry.', {
    identifies: true,
    nullable: true,
    default: '',
    tier: 'gbr',
  })
  gas_industry_code?: string | null;

  @Text('Description of the category.', { nullable: true, default: '', tier: 'gbr' })
  description?: string | null;

  @Text('Additional information about the need.', { nullable: true, default: '', tier: 'gbr' })
  additional_information?: string | null;

  @Moment('Start of the need.', { tier: 'gbr' }) effective_from?: string;

  @Moment('End of the need; required for temporary categories.', { nullable: true, tier: 'gbr' })
  effective_to?: string | null;
}
