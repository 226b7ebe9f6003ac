import { Choice, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A consent given or refused for the account or by a person on it.')
export class Consent {
  @Text("Type of consent, from the operator's list.", {
    required: true,
    list: 'consent_types',
    example: 'NEWSLETTER',
  })
  type: string;

  @Choice('Whether consent was given or refused.', ['ACCEPTED', 'REJECTED', 'UNKNOWN', 'PENDING'], {
    required: true,
  })
  value: string;

  @Moment('When the consent was answered, not in the future; defaults to the time of import.')
  signed_at?: string;

  @Text('How the consent was obtained.', { max: 255, example: 'Ticked online.' }) description?: string;
}
