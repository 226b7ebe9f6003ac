import { Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An organisation that has to do with the account.')
export class PartnerOrganisation {
  @Text('Number under which the partner is registered.', { required: true, max: 128, example: 'PO-1001' })
  organisation_number: string;

  @Text('Its part in the account, as the operator lists it.', {
    required: true,
    list: 'partner_roles',
    example: 'HOUSING_ASSOCIATION',
  })
  role: string;

  @Moment('Since when.', { required: true })
  valid_from: string;

  @Moment('Until when; not before the beginning.', { required: true })
  valid_to: string;

  @Text('Where the document that the relationship rests on is stored.')
  source_reference_platform_key?: string;
}
