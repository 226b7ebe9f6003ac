import { Choice, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An answer to one question of consent, by the account or by a person on it.')
export class Consent {
  @Text('What was asked, as the operator lists it.', {
    required: true,
    list: 'consent_types',
    example: 'NEWSLETTER',
  })
  type: string;

  @Choice('The answer.', ['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING'], { required: true })
  value: string;

  @Moment('When the answer was given, not later than now; the time of import unless given.')
  signed_at?: string;

  @Text('How the answer was obtained.', { max: 255, example: 'Ticked online.' })
  description?: string;
}
