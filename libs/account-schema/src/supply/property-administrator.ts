import { email } from '../formats/email';
import { phoneNumber } from '../formats/phone-number';
import { CalendarDate, Choice, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The landlord or developer of a supply address.')
export class PropertyAdministrator {
  @Choice('Role of the person.', ['LANDLORD', 'PROPERTY_DEVELOPER'], {
    default: 'LANDLORD',
    example: 'LANDLORD',
  })
  role?: string;

  @Moment('Start of the role.', { nullable: true }) effective_from?: string | null;
  @Moment('End of the role, exclusive.', { nullable: true }) effective_to?: string | null;
  @Text('Title before the name.', { max: 20, nullable: true, default: '' }) title?: string | null;
  @Text('Given name.', { max: 255, nullable: true, default: '', example: 'Ines' }) given_name?: string | null;
  @Text('Family name.', { max: 255, default: '', example: 'Quill' }) family_name?: string;
  @Text('Salutation of letters.', { max: 128, nullable: true, default: '' }) salutation?: string | null;

  @Text('E-mail address for signing in and for messages.', { max: 254, format: email, nullable: true })
  email?: string | null;

  @Text('Landline number.', { max: 32, format: phoneNumber, nullable: true, default: '' })
  landline?: string | null;

  @Text('Mobile number.', { max: 32, format: phoneNumber, nullable: true, default: '' })
  mobile?: string | null;

  @CalendarDate('Date of birth.', { nullable: true }) date_of_birth?: string | null;

  @Choice('Whether the person has died, and how certain that is.', ['Reported', 'Confirmed', ''], {
    default: '',
  })
  deceased?: string;

  @Text("Name on the person's statements.", { max: 255, default: '' }) billing_name?: string;
  @Text("First line of the person's address.", { max: 512, deprecated: true }) address1?: string;
  @Text('Second line of the address.', { max: 512, deprecated: true }) address2?: string;
  @Text('Third line of the address.', { max: 512, deprecated: true }) address3?: string;
  @Text('Fourth line of the address.', { max: 512, deprecated: true }) address4?: string;
  @Text('Fifth line of the address.', { max: 512, deprecated: true }) address5?: string;
  @Text("Postcode of the person's address.", { max: 10, deprecated: true }) postcode?: string;
}
