import { CalendarDate, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A label that puts the account into a group, for a time or for good.')
export class AccountCampaign {
  @Text('Short name of the campaign, as the operator lists it.', {
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

  @Text('Remark, kept as a note that belongs to the label.', { nullable: true, default: '' })
  campaign_note?: string | null;

  @CalendarDate('Day from which the label counts.', { nullable: true })
  start_date?: string | null;

  @CalendarDate('Day on which the label ends; must come after its start.', { nullable: true })
  expiry_date?: string | null;
}
