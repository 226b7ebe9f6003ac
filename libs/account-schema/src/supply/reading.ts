import { CalendarDate, Choice, Decimal, Flag, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A meter reading.')
export class Reading {
  @CalendarDate('Day of the reading.', { required: true, example: '2024-06-01' }) reading_date: string;

  @Choice('How the reading was obtained.', ['CUSTOMER', 'ESTIMATE', 'ROUTINE', 'SMART', 'REGULAR'], {
    required: true,
    example: 'SMART',
  })
  reading_type: string;

  @Decimal('Value of the reading.', { required: true, whole: 10, places: 10, example: '14420.0' })
  reading_value: string;

  @Text('Identifier of the register, including leading zeros; required for electricity.', {
    identifies: true,
    max: 32,
    example: '01',
  })
  register_id?: string;
}

@About('A historical meter reading.')
export class HistoricalReading extends Reading {
  @Flag('Whether the reading was billed.', { required: true, example: true }) billed: boolean;

  @Choice('Result of the plausibility check.', ['VALIDATED', 'UNVALIDATED', 'FAILED'], {
    default: 'VALIDATED',
  })
  validation_status?: string;
}
