import { email } from '../formats/email';
import { Choice, Flag, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('One exchange about a complaint.')
export class ComplaintContact {
  @Text('What was said or written, or a summary of it.', {
    required: true,
    example: 'Asked for a call back.',
  })
  body: string;

  @Choice('By which medium.', ['LANDLINE', 'MOBILE', 'EMAIL', 'POST'], { required: true })
  communication_method: string;

  @Text('Where it came in, as the operator names it.', { required: true, example: 'CONTACT_CENTRE' })
  communication_source: string;

  @Moment('When it happened.', { required: true })
  created_at: string;

  @Choice(
    'Where the complaint stood at that time.',
    ['OPEN', 'RESOLVED', 'NO_CONTACT', 'REOPENED', 'DEADLOCK', 'CANCELLED'],
    { required: true },
  )
  status: string;
}

@About('A complaint that has not been settled.')
export class Complaint {
  @Text('Kind of complaint, as the operator lists it.', { required: true, example: 'BILLING' })
  type_of_complaint: string;

  @Text('Finer kind, one that goes with the kind.', { required: true, example: 'LATE_BILL' })
  subtype_of_complaint: string;

  @Text('Who complains; as a rule one of the customers.', {
    required: true,
    max: 255,
    example: 'Maeve Aldous',
  })
  complainant_name: string;

  @Text('E-mail address of the person who complains.', { required: true, max: 254, format: email })
  complainant_email: string;

  @ListOf('Everything exchanged about it so far.', ComplaintContact, { required: true })
  complaint_contacts: ComplaintContact[];

  @Moment('When the complaint was made.', { required: true })
  created_at: string;

  @Flag('Whether the letter that summarises the procedure has gone out.', { required: true })
  has_chsr_letter_been_sent: boolean;

  @Flag('Whether the letter due after eight weeks has gone out; it follows the summary.', { required: true })
  has_eight_week_letter_been_sent: boolean;

  @Text('Public body that the complaint was taken to.')
  official_entity?: string;

  @Text('Reference of that body.')
  official_reference_number?: string;

  @Text('Where the case stands with that body.')
  official_status?: string;
}
