import { phoneNumber } from '../formats/phone-number';
import { Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('One more number to reach a person by.')
export class AlternativePhoneNumber {
  @Text('The number.', {
    max: 32,
    format: phoneNumber,
    nullable: true,
    default: '',
    example: '+441212345678',
  })
  phone_number?: string | null;
}
