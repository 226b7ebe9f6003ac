import { email } from '../formats/formats';
import { phoneNumber } from '../formats/phone-number';
import {
  CalendarDate,
  Choice,
  Code,
  Flag,
  Integer,
  Json,
  ListOf,
  ListOfTexts,
  Moment,
  Nested,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { Consent, MetadataItem } from './account-details';

@About('An additional phone number of a person.')
export class AlternativePhoneNumber {
  @Text('The phone number.', {
    maxLength: 32,
    format: phoneNumber,
    nullable: true,
    default: '',
    example: '+441212345678',
  })
  phone_number?: string | null;
}

@About('A fact about a person, in a namespace that the operator has registered.')
export class UserDetail {
  @Text("Namespace of the fact, from the operator's list.", {
    required: true,
    list: 'user_detail_namespaces',
    example: 'external_user_id',
  })
  namespace: string;

  @Json('Value of the fact, of the type registered for the namespace.', { required: true, example: 'U-17' })
  value: unknown;
}

/** Whether a person has died, and how certain that is. */
export const DECEASED = ['Reported', 'Confirmed', ''] as const;

const RISK_BRACKETS = ['LOW', 'MID', 'HIGH', 'UNKNOWN', ''] as const;

/** The fields that customers and business users share. */
export abstract class Person {
  @Text('Title before the name.', { maxLength: 20, nullable: true, default: '', example: 'Mrs' })
  title?: string | null;

  @Text('Given name.', { maxLength: 255, default: '', example: 'Maeve' }) given_name?: string;

  @Text('Family name; required on domestic accounts.', { maxLength: 255, default: '', example: 'Aldous' })
  family_name?: string;

  @Text('Salutation of letters.', { maxLength: 128, nullable: true, default: '', example: 'Mrs Aldous' })
  salutation?: string | null;

  @Text('E-mail address for signing in and for messages.', { maxLength: 254, format: email, nullable: true })
  email?: string | null;

  @ListOfTexts('Additional e-mail addresses for messages.', { item: { maxLength: 254, format: email } })
  contact_emails?: string[];

  @Text('Landline number.', {
    maxLength: 32,
    format: phoneNumber,
    nullable: true,
    default: '',
    example: '01212345678',
  })
  landline?: string | null;

  @Text('Mobile number.', {
    maxLength: 32,
    format: phoneNumber,
    nullable: true,
    default: '',
    example: '07400123456',
  })
  mobile?: string | null;

  @ListOf('Additional phone numbers.', AlternativePhoneNumber)
  alternative_phone_numbers?: AlternativePhoneNumber[];

  @CalendarDate('Date of birth.', { nullable: true, example: '1961-04-09' }) date_of_birth?: string | null;

  @Choice('Whether the person has died, and how certain that is.', DECEASED, { default: '' })
  deceased?: (typeof DECEASED)[number];

  @Text('Label of the person, such as a job title.', { nullable: true }) label?: string | null;
  @Flag('Whether the person cannot read the meters.', { default: false }) unable_to_read_meters?: boolean;

  @Code('Identifier of the credit check.', { nullable: true }) credit_assessment_id?: string | null;

  @Text('Result of the credit check.', { nullable: true }) credit_result?: string | null;

  @Choice('Credit risk bracket.', RISK_BRACKETS, { nullable: true })
  credit_risk_bracket?: (typeof RISK_BRACKETS)[number] | null;

  @Integer('Credit score.', { nullable: true, min: 0, max: 9999 }) credit_score?: number | null;
  @ListOf('Details of the person in registered namespaces.', UserDetail) user_details?: UserDetail[];

  @Json('The same details as one object, by namespace.', { nullable: true, deprecated: 'user_details' })
  details?: unknown;
}

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

  @Text('Password by which visiting staff identify themselves.', { maxLength: 10, default: '', tier: 'gbr' })
  partner_password?: string;
}

@About('A need that entitles a person to priority services.', { tier: 'gbr' })
export class PriorityServicesRecord {
  @Code('Code of the category in the electricity industry.', { nullable: true, default: '', example: '08' })
  elec_industry_code?: string | null;

  @Code('Code of the category in the gas industry.', { nullable: true, default: '' })
  gas_industry_code?: string | null;

  @Text('Description of the category.', { nullable: true, default: '' }) description?: string | null;

  @Text('Additional information about the need.', { nullable: true, default: '' })
  additional_information?: string | null;

  @Moment('Start of the need.') effective_from?: string;

  @Moment('End of the need; required for temporary categories.', { nullable: true })
  effective_to?: string | null;
}

const PRONOUNS = [
  'OTHER',
  'E_EM_EIR',
  'EY_EM_EIR',
  'FAE_FAER_FAERS',
  'HE_HIM_HIS',
  'PER_PER_PERS',
  'SHE_HER_HERS',
  'THEY_THEM_THEIRS',
  'VE_VER_VIS',
  'XE_XEM_XYR',
  'ZE_HIR_HIRS',
  'ZE_ZIR_ZIRS',
  'ZIE_HIR_HIRS',
  'ZIE_ZIR_ZIRS',
  '',
] as const;

@About('A person on the account.')
export class Customer extends Person {
  @Code('Identifier by which other parts of the payload refer to this person.', { example: 'cust-1' })
  user_identifier?: string;

  @Choice('Pronouns in the third person.', PRONOUNS, { nullable: true, default: '' })
  pronouns?: (typeof PRONOUNS)[number] | null;

  @ListOfTexts("Roles in the whole portfolio; defaults to the operator's default role.", {
    list: 'roles',
    example: ['ADMIN'],
  })
  portfolio_roles?: string[];

  @ListOfTexts('Roles on this account only.', { list: 'roles' }) account_roles?: string[];

  @Text('A single role; superseded by the lists.', {
    nullable: true,
    list: 'roles',
    deprecated: 'portfolio_roles',
  })
  role?: string | null;

  @ListOf(
    'Consents of the person, at most one of each type; not together with `customer_preferences`.',
    Consent,
  )
  consents?: Consent[];

  @Nested('Message preferences; superseded by consents.', CustomerPreferences, { deprecated: 'consents' })
  customer_preferences?: CustomerPreferences;

  @ListOf('Needs that entitle the person to priority services.', PriorityServicesRecord, { tier: 'gbr' })
  psr?: PriorityServicesRecord[];

  @ListOf('Additional facts by key, for which the contract has no field.', MetadataItem)
  metadata?: MetadataItem[];
}
