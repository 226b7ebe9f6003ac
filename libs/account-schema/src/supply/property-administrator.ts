import { email } from '../formats/email';
import { phoneNumber } from '../formats/phone-number';
import { CalendarDate, Choice, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The landlord or developer of a supply address.')
export class PropertyAdministrator {
  @Choice('What the person is to the property.', ['LANDLORD', 'PROPERTY_DEVELOPER'], {
    default: 'LANDLORD',
    example: 'LANDLORD',
  })
  role?: string;

  @Moment('Since when.', { nullable: true })
  effective_from?: string | null;

  @Moment('Until when, that moment not included.', { nullable: true })
  effective_to?: string | null;

  @Text('Form of address before the name.', { max: 20, nullable: true, default: '' })
  title?: string | null;

  @Text('Given name.', { max: 255, nullable: true, default: '', example: 'Ines' })
  given_name?: string | null;

  @Text('Family name.', { max: 255, default: '', example: 'Quill' })
  family_name?: string;

  @Text('How letters begin.', { max: 128, nullable: true, default: '' })
  salutation?: string | null;

  @Text('E-mail address to sign in with and to write to.', { max: 254, format: email, nullable: true })
  email?: string | null;

  @Text('Landline number.', { max: 32, format: phoneNumber, nullable: true, default: '' })
  landline?: string | null;

  @Text('Mobile number.', { max: 32, format: phoneNumber, nullable: true, default: '' })
  mobile?: string | null;

  @CalendarDate('Date of birth.', { nullable: true })
  date_of_birth?: string | null;

  @Choice('Whether the person is known to have died, and how surely.', ['Reported', 'Confirmed', ''], {
    default: '',
  })
  deceased?: string;

  @Text('Name on the statements they get.', { max: 255, default: '' })
  billing_name?: string;

  @Text('First line of their address.', { max: 512, deprecated: true })
  address1?: string;

  @Text('Second line.', { max: 512, deprecated: true })
  address2?: string;

  @Text('Third line.', { max: 512, deprecated: true })
  address3?: string;

  @Text('Fourth line.', { max: 512, deprecated: true })
  address4?: string;

  @Text('Fifth line.', { max: 512, deprecated: true })
  address5?: string;

  @Text('Postcode of their address.', { max: 10, deprecated: true })
  postcode?: string;
}
