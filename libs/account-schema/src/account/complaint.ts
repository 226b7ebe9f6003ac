import { email } from '../formats/email';
import { Choice, Flag, ListOf, Moment, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A contact about a complaint.')
export class ComplaintContact {
  @Text('Content of the contact or a summary of it.', { required: true, example: 'Asked for a call back.' })
  body: string;

  @Choice('Communication medium.', ['LANDLINE', 'MOBILE', 'EMAIL', 'POST'], { required: true })
  communication_method: string;

  @Text("Source of the contact, from the operator's list.", {
    required: true,
    example: 'CONTACT_CENTRE',
    list: 'complaint_sources',
  })
  communication_source: string;

  @Moment('When the contact took place.', { required: true }) created_at: string;

  @Choice(
    'Status of the complaint at that time.',
    ['OPEN', 'RESOLVED', 'NO_CONTACT', 'REOPENED', 'DEADLOCK', 'CANCELLED'],
    { required: true },
  )
  status: string;
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
    max: 255,
    example: 'Maeve Aldous',
  })
  complainant_name: string;

  @Text('E-mail address of the person who complains.', { required: true, max: 254, format: email })
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
  @Text('Reference number of that body.', { identifies: true }) official_reference_number?: string;
  @Text('Status of the case with that body.') official_status?: string;
}
