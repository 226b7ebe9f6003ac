import { email } from '../formats/email';
import { phoneNumber } from '../formats/phone-number';
import { About } from '../vocabulary/description';
import { CalendarDate, Text } from '../vocabulary/decorators';

@About('A person on the account.')
export class Customer {
  @Text('Given name.', { max: 255, example: 'Maeve' })
  given_name?: string;

  @Text('Family name.', { max: 255, example: 'Aldous' })
  family_name?: string;

  @Text('E-mail address, for signing in and for messages.', { max: 254, format: email, nullable: true })
  email?: string | null;

  @Text('Landline number.', { max: 32, format: phoneNumber, nullable: true, example: '01212345678' })
  landline?: string | null;

  @Text('Mobile number.', { max: 32, format: phoneNumber, nullable: true })
  mobile?: string | null;

  @CalendarDate('Date of birth.', { nullable: true })
  date_of_birth?: string | null;
}
