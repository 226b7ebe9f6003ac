import { deliveryPointIdentifier, email, mpanOrMprn, taxYear } from '../formats/formats';
import { AMOUNTS } from '../vocabulary/amounts';
import {
  CalendarDate,
  Choice,
  Code,
  Decimal,
  Dictionary,
  Flag,
  Integer,
  Json,
  ListOf,
  Moment,
  Text,
} from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An identifier of the account in another system.')
export class AccountReference {
  @Code("Namespace of the identifier, from the operator's list.", {
    required: true,
    maxLength: 50,
    example: 'old-web-portal-id',
    list: 'account_reference_namespaces',
  })
  namespace: string;

  @Code("The account's identifier in that namespace; unique to one account.", {
    required: true,
    maxLength: 100,
    example: 'W-88-1021',
  })
  value: string;
}

@About('An additional fact for which the contract has no field.')
export class MetadataItem {
  @Code('Key of the fact, unique in its list.', {
    required: true,
    maxLength: 1024,
    example: 'source_segment',
  })
  key: string;

  @Json('Value of the fact, any JSON.', { required: true, example: { band: 3 } }) value: unknown;
}

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

@About('A partner organisation related to the account.')
export class PartnerOrganisation {
  @Code('Registration number of the partner.', {
    required: true,
    maxLength: 128,
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

  @Code('Key of the document that the relationship is based on.') source_reference_platform_key?: string;
}

const CONSENT_VALUES = ['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING'] as const;

@About('A consent given or refused for the account or by a person on it.')
export class Consent {
  @Text("Type of consent, from the operator's list.", {
    required: true,
    list: 'consent_types',
    example: 'NEWSLETTER',
  })
  type: string;

  @Choice('Whether consent was given or refused.', CONSENT_VALUES, { required: true })
  value: (typeof CONSENT_VALUES)[number];

  @Moment('When the consent was answered, not in the future; defaults to the time of import.')
  signed_at?: string;

  @Text('How the consent was obtained.', { maxLength: 255, example: 'Ticked online.' }) description?: string;
}

const CONTACT_MEDIA = ['LANDLINE', 'MOBILE', 'EMAIL', 'POST'] as const;
const COMPLAINT_STATUSES = ['OPEN', 'RESOLVED', 'NO_CONTACT', 'REOPENED', 'DEADLOCK', 'CANCELLED'] as const;

@About('A contact about a complaint.')
export class ComplaintContact {
  @Text('Content of the contact or a summary of it.', { required: true, example: 'Asked for a call back.' })
  body: string;

  @Choice('Communication medium.', CONTACT_MEDIA, { required: true })
  communication_method: (typeof CONTACT_MEDIA)[number];

  @Text("Source of the contact, from the operator's list.", {
    required: true,
    example: 'CONTACT_CENTRE',
    list: 'complaint_sources',
  })
  communication_source: string;

  @Moment('When the contact took place.', { required: true }) created_at: string;

  @Choice('Status of the complaint at that time.', COMPLAINT_STATUSES, { required: true })
  status: (typeof COMPLAINT_STATUSES)[number];
}

@About('An open complaint.')
export class Complaint {
  @Text("Type of complaint, from the operator's list.", { required: true, example: 'BILLING' })
  type_of_complaint: string;

  @Text("Subtype of complaint, from the operator's list for the type.", {
    required: true,
    example: 'LATE_BILL',
  })
  subtype_of_complaint: string;

  @Text('Name of the person who complains, usually one of the customers.', {
    required: true,
    maxLength: 255,
    example: 'Maeve Aldous',
  })
  complainant_name: string;

  @Text('E-mail address of the person who complains.', { required: true, maxLength: 254, format: email })
  complainant_email: string;

  @ListOf('Contacts about the complaint so far.', ComplaintContact, { required: true })
  complaint_contacts: ComplaintContact[];

  @Moment('When the complaint was made.', { required: true }) created_at: string;

  @Flag('Whether the letter that summarises the complaints procedure has been sent.', { required: true })
  has_chsr_letter_been_sent: boolean;

  @Flag('Whether the letter due after eight weeks has been sent; it follows the summary letter.', {
    required: true,
  })
  has_eight_week_letter_been_sent: boolean;

  @Text("Public body that the complaint was referred to, from the operator's list.") official_entity?: string;
  @Code('Reference number of that body.') official_reference_number?: string;
  @Text('Status of the case with that body.') official_status?: string;
}

const COMMISSION_STATUSES = ['PAID', 'PAYABLE'] as const;

@About("A broker's commission on one supply point of the account.", { tier: 'gbr' })
export class CommissionContract {
  @Text("Name of the organisation that earns the commission, from the operator's list.", {
    required: true,
    maxLength: 128,
    example: 'Quayside Brokers',
    list: 'affiliate_organisations',
  })
  affiliate_organisation_name: string;

  @Code('MPAN or MPRN of the supply point.', { required: true, format: mpanOrMprn }) mpxn: string;

  @CalendarDate('First day of the contract.', { required: true }) effective_from: string;
  @CalendarDate('End of the contract, exclusive.', { required: true }) effective_to: string;

  @Choice('Whether the commission is outstanding or settled.', COMMISSION_STATUSES, {
    required: true,
    example: 'PAYABLE',
  })
  status: (typeof COMMISSION_STATUSES)[number];

  @Choice('How the commission is calculated.', ['UNIT_RATE_UPLIFT'], { deprecated: true })
  commission_type?: 'UNIT_RATE_UPLIFT';

  @Decimal('Uplift of the unit rate, for one kWh.', {
    amount: AMOUNTS.penceOfUnit,
    whole: 10,
    places: 3,
    example: '0.400',
  })
  unit_rate_uplift?: string;

  @Decimal('Uplift of the standing charge.', { amount: AMOUNTS.penceOfDay, whole: 10, places: 3 })
  standing_charge_uplift?: string;

  @Decimal('Uplift, from before there were separate fields for the two uplifts.', {
    whole: 11,
    places: 2,
    amount: AMOUNTS.pence,
    deprecated: 'unit_rate_uplift',
  })
  value?: string;
}

@About('A postal address in any country.')
export class Address {
  @Text('Country, by its two-letter ISO 3166-1 code.', { required: true, maxLength: 2, example: 'GB' })
  country: string;

  @Text('House and street as free text; leave out if `structured_street_address` is sent.', {
    default: '',
    example: '4 Weir Cottages, Mill Lane',
  })
  street_address?: string;

  @Dictionary(
    "House and street as components of the country's format; leave out if `street_address` is sent.",
    { nullable: true },
  )
  structured_street_address?: Record<string, unknown> | null;

  @Text('Village, or part of a town.', { maxLength: 512, default: '' }) dependent_locality?: string;
  @Text('Town or city.', { maxLength: 512, default: '', example: 'Larkby' }) locality?: string;

  @Text('Region, state or nation within the country.', { maxLength: 512, default: '' })
  administrative_area?: string;

  @Text("Postcode, in the format of the address's own country.", {
    maxLength: 512,
    default: '',
    example: 'NN99 9ZZ',
  })
  postal_code?: string;

  @Text('Sorting code for bulk mail.', { maxLength: 512, default: '' }) sorting_code?: string;

  @Text('Identifier of the address in the national address register.', {
    maxLength: 11,
    format: deliveryPointIdentifier,
  })
  delivery_point_identifier?: string;

  @Text('Recipient of mail at the address.', { default: '', deprecated: true }) name?: string;
  @Text('Organisation at the address.', { default: '', deprecated: true }) organization?: string;
}

const PERIOD_LENGTHS = ['MONTHLY', 'QUARTERLY'] as const;

@About('The billing calendar of the account. Intended for British business accounts.')
export class AccountBillingOptions {
  @Flag('Whether bills are triggered by industry data (true) or by this calendar (false).')
  use_industry_billing?: boolean;

  @Choice('Length of one billing period.', PERIOD_LENGTHS, { nullable: true, example: 'QUARTERLY' })
  period_length?: (typeof PERIOD_LENGTHS)[number] | null;

  @Integer('Number of period lengths that one bill covers.', { example: 1 })
  period_length_multiplier?: number;

  @Integer('Day of the month on which a period begins.', { nullable: true, min: 1, max: 28 })
  period_start_day?: number | null;

  @Integer('Month in which a period begins.', { nullable: true, min: 1, max: 12 })
  period_start_month?: number | null;
}

const DISCOUNT_PAYMENTS = ['CREDIT', 'PREPAY'] as const;
const DISCOUNT_GROUPS = ['CORE', 'BROADER'] as const;

@About('A payment made under the British warm home discount.', { tier: 'gbr' })
export class WarmHomeDiscount {
  @Text('Tax year of the payment.', { format: taxYear, example: '2023/24' }) tax_year?: string;
  @Choice('How the discount was paid.', DISCOUNT_PAYMENTS, { default: 'CREDIT' })
  account_type?: (typeof DISCOUNT_PAYMENTS)[number];
  @Choice("The customer's group in the scheme.", DISCOUNT_GROUPS, { default: 'CORE' })
  group?: (typeof DISCOUNT_GROUPS)[number];
}
