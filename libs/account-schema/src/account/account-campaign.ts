import { CalendarDate, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A campaign that the account takes part in, permanently or for a time.')
export class AccountCampaign {
  @Text("Slug of the campaign, from the operator's list.", {
    nullable: true,
    default: '',
    list: 'campaign_slugs',
    example: 'first-wave',
  })
  slug?: string | null;

  @Text('Full name of the campaign.', {
    nullable: true,
    default: '',
    list: 'campaign_names',
    deprecated: 'slug',
  })
  campaign_name?: string | null;

  @Text('Remark about the campaign, stored as a note.', { nullable: true, default: '' })
  campaign_note?: string | null;

  @CalendarDate('First day of the campaign for the account.', { nullable: true }) start_date?: string | null;

  @CalendarDate('Day on which the campaign ends for the account; must be after its start.', {
    nullable: true,
  })
  expiry_date?: string | null;
}
