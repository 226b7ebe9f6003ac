import { email } from '../formats/email';
import { phoneNumber } from '../formats/phone-number';
import {
  CalendarDate,
  Choice,
  Flag,
  Integer,
  Json,
  ListOf,
  ListOfTexts,
  Text,
} from '../vocabulary/decorators';
import { AlternativePhoneNumber } from './alternative-phone-number';
import { UserDetail } from './user-detail';

/** The fields that customers and business users share. */
export abstract class Person {
  @Text('Title before the name.', { max: 20, nullable: true, default: '', example: 'Mrs' })
  title?: string | null;

  @Text('Given name.', { max: 255, default: '', example: 'Maeve' }) given_name?: string;

  @Text('Family name; required on domestic accounts.', { max: 255, default: '', example: 'Aldous' })
  family_name?: string;

  @Text('Salutation of letters.', { max: 128, nullable: true, default: '', example: 'Mrs Aldous' })
  salutation?: string | null;

  @Text('E-mail address for signing in and for messages.', { max: 254, format: email, nullable: true })
  email?: string | null;

  @ListOfTexts('Additional e-mail addresses for messages.', { item: { max: 254, format: email } })
  contact_emails?: string[];

  @Text('Landline number.', {
    max: 32,
    format: phoneNumber,
    nullable: true,
    default: '',
    example: '01212345678',
  })
  landline?: string | null;

  @Text('Mobile number.', {
    max: 32,
    format: phoneNumber,
    nullable: true,
    default: '',
    example: '07400123456',
  })
  mobile?: string | null;

  @ListOf('Additional phone numbers.', AlternativePhoneNumber)
  alternative_phone_numbers?: AlternativePhoneNumber[];

  @CalendarDate('Date of birth.', { nullable: true, example: '1961-04-09' }) date_of_birth?: string | null;

  @Choice('Whether the person has died, and how certain that is.', ['Reported', 'Confirmed', ''], {
    default: '',
  })
  deceased?: string;

  @Text('Label of the person, such as a job title.', { nullable: true }) label?: string | null;
  @Flag('Whether the person cannot read the meters.', { default: false }) unable_to_read_meters?: boolean;

  @Text('Identifier of the credit check.', { identifies: true, nullable: true })
  credit_assessment_id?: string | null;

  @Text('Result of the credit check.', { nullable: true }) credit_result?: string | null;

  @Choice('Credit risk bracket.', ['LOW', 'MID', 'HIGH', 'UNKNOWN', ''], { nullable: true })
  credit_risk_bracket?: string | null;

  @Integer('Credit score.', { nullable: true, min: 0, max: 9999 }) credit_score?: number | null;
  @ListOf('Facts about the person in registered namespaces.', UserDetail) user_details?: UserDetail[];

  @Json('The same facts as one object, by namespace.', { nullable: true, deprecated: 'user_details' })
  details?: unknown;
}
