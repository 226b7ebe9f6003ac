import { Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A partner organisation related to the account.')
export class PartnerOrganisation {
  @Text('Registration number of the partner.', {
    identifies: true,
    required: true,
    max: 128,
    example: 'PO-1001',
    list: 'partner_organisations',
  })
  organisation_number: string;

  @Text("Role of the partner, from the operator's list.", {
    required: true,
    list: 'partner_roles',
    example: 'HOUSING_ASSOCIATION',
  })
  role: string;

  @Moment('Start of the relationship.', { required: true }) valid_from: string;
  @Moment('End of the relationship; not before its start.', { required: true }) valid_to: string;

  @Text('Key of the document that the relationship is based on.', { identifies: true })
  source_reference_platform_key?: string;
}
