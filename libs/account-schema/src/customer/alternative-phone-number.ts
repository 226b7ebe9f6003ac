import { phoneNumber } from '../formats/phone-number';
import { Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An additional phone number of a person.')
export class AlternativePhoneNumber {
  @Text('The phone number.', {
    max: 32,
    format: phoneNumber,
    nullable: true,
    default: '',
    example: '+441212345678',
  })
  phone_number?: string | null;
}
