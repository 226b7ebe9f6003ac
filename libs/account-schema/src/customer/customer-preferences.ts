import { Flag, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Message preferences of a person, from before there were typed consents.')
export class CustomerPreferences {
  @Flag('Accepts messages from associated companies.', { default: false })
  opted_into_associated_companies?: boolean;

  @Flag('Accepts offers and advertising.', { default: false }) opted_into_offers?: boolean;
  @Flag('Accepts optional messages about the service.', { default: true }) opted_into_recommended?: boolean;
  @Flag('Accepts text messages.', { default: false }) opted_into_sms?: boolean;
  @Flag('Accepts messages from third parties.', { default: false }) opted_into_third_parties?: boolean;
  @Flag('Accepts news about the supplier.', { default: false }) opted_into_updates?: boolean;
  @Flag('Accepts messages on the chat platform.', { default: false }) opted_into_platform?: boolean;

  @Flag('Whether data for priority services may be used.', { nullable: true, tier: 'gbr' })
  is_user_psr_consent_obtained?: boolean | null;

  @Text('Password by which visiting staff identify themselves.', { max: 10, default: '', tier: 'gbr' })
  partner_password?: string;
}
