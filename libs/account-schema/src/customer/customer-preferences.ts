import { Flag, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Which messages a person wants, as it was asked before consents had types.')
export class CustomerPreferences {
  @Flag('Messages of associated companies.', { default: false })
  opted_into_associated_companies?: boolean;

  @Flag('Offers and advertising.', { default: false })
  opted_into_offers?: boolean;

  @Flag('Messages about the service that could be done without.', { default: true })
  opted_into_recommended?: boolean;

  @Flag('Text messages of any kind.', { default: false })
  opted_into_sms?: boolean;

  @Flag('Messages of other firms.', { default: false })
  opted_into_third_parties?: boolean;

  @Flag('News about the supplier.', { default: false })
  opted_into_updates?: boolean;

  @Flag('Messages on the chat platform.', { default: false })
  opted_into_platform?: boolean;

  @Flag('Whether data for priority services may be used.', { nullable: true, tier: 'gbr' })
  is_user_psr_consent_obtained?: boolean | null;

  @Text('Password by which visitors make themselves known.', { max: 10, default: '', tier: 'gbr' })
  partner_password?: string;
}
