import { deliveryPointIdentifier, email, postcode } from '../formats/formats';
import { phoneNumber } from '../formats/phone-number';
import { CalendarDate, Choice, Code, Flag, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { MetadataItem } from './account-details';
import { DECEASED } from './customer';
import { anyMeterPoint, type MeterPoint } from './meter-points';

const PERSON_ROLES = ['LANDLORD', 'PROPERTY_DEVELOPER'] as const;

@About('The landlord or developer of a supply address.')
export class PropertyAdministrator {
  @Choice('Role of the person.', PERSON_ROLES, { default: 'LANDLORD', example: 'LANDLORD' })
  role?: (typeof PERSON_ROLES)[number];

  @Moment('Start of the role.', { nullable: true }) effective_from?: string | null;
  @Moment('End of the role, exclusive.', { nullable: true }) effective_to?: string | null;
  @Text('Title before the name.', { maxLength: 20, nullable: true, default: '' }) title?: string | null;
  @Text('Given name.', { maxLength: 255, nullable: true, default: '', example: 'Ines' }) given_name?:
    | string
    | null;
  @Text('Family name.', { maxLength: 255, default: '', example: 'Quill' }) family_name?: string;
  @Text('Salutation of letters.', { maxLength: 128, nullable: true, default: '' }) salutation?: string | null;

  @Text('E-mail address for signing in and for messages.', { maxLength: 254, format: email, nullable: true })
  email?: string | null;

  @Text('Landline number.', { maxLength: 32, format: phoneNumber, nullable: true, default: '' })
  landline?: string | null;

  @Text('Mobile number.', { maxLength: 32, format: phoneNumber, nullable: true, default: '' })
  mobile?: string | null;

  @CalendarDate('Date of birth.', { nullable: true }) date_of_birth?: string | null;

  @Choice('Whether the person has died, and how certain that is.', DECEASED, { default: '' })
  deceased?: (typeof DECEASED)[number];

  @Text("Name on the person's statements.", { maxLength: 255, default: '' }) billing_name?: string;
  @Text("First line of the person's address.", { maxLength: 512, deprecated: true }) address1?: string;
  @Text('Second line of the address.', { maxLength: 512, deprecated: true }) address2?: string;
  @Text('Third line of the address.', { maxLength: 512, deprecated: true }) address3?: string;
  @Text('Fourth line of the address.', { maxLength: 512, deprecated: true }) address4?: string;
  @Text('Fifth line of the address.', { maxLength: 512, deprecated: true }) address5?: string;
  @Text("Postcode of the person's address.", { maxLength: 10, deprecated: true }) postcode?: string;
}

@About('A property that is supplied, and the meter points there.')
export class SupplyAddress {
  @Text('First line of the address.', { required: true, maxLength: 512, example: '4 Weir Cottages' })
  supply_address1: string;

  @Text('Second line of the address.', { maxLength: 512, example: 'Mill Lane' }) supply_address2?: string;
  @Text('Third line of the address.', { maxLength: 512 }) supply_address3?: string;
  @Text('Fourth line of the address.', { maxLength: 512 }) supply_address4?: string;
  @Text('Fifth line of the address.', { maxLength: 512 }) supply_address5?: string;
  @Text('Postcode.', { required: true, maxLength: 10, format: postcode }) supply_postcode: string;

  @Text('Identifier of the address in the national address register.', {
    maxLength: 11,
    format: deliveryPointIdentifier,
  })
  supply_delivery_point_identifier?: string;

  @Text('Label that distinguishes the property from the others.', { maxLength: 255, example: 'Bakery' })
  label?: string;

  @Code("Identifier of the property in the supplier's system, unique in a payload.", {
    maxLength: 255,
    example: 'PROP-4471',
  })
  property_external_identifier?: string;

  @CalendarDate('First day on which the customer was supplied here.', {
    required: true,
    example: '2021-03-01',
  })
  customer_at_supply_address_from_date: string;

  @CalendarDate('Day on which the customer moved out.', { nullable: true })
  customer_at_supply_address_to_date?: string | null;

  @CalendarDate("Day since which the property is the customer's main home.")
  primary_place_of_residence_since?: string;

  @Flag('Whether the account holder lets the property.', { default: false }) is_landlord?: boolean;

  @ListOf('Landlord or developer of the property; at most one.', PropertyAdministrator)
  property_administrators?: PropertyAdministrator[];

  @ListOf('Meter points at the address.', anyMeterPoint, { required: true }) meter_points: MeterPoint[];

  @ListOf('Additional facts by key, for which the contract has no field.', MetadataItem)
  metadata?: MetadataItem[];
}
