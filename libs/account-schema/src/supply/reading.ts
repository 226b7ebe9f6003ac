import { CalendarDate, Choice, Decimal, Flag, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('What a register showed on a day.')
export class Reading {
  @CalendarDate('The day.', { required: true, example: '2024-06-01' })
  reading_date: string;

  @Choice('How it was obtained.', ['CUSTOMER', 'ESTIMATE', 'ROUTINE', 'SMART', 'REGULAR'], {
    required: true,
    example: 'SMART',
  })
  reading_type: string;

  @Decimal('What it showed.', { required: true, whole: 10, places: 10, example: '14420.0' })
  reading_value: string;

  @Text('The register, leading zeros included; electricity needs it.', { max: 32, example: '01' })
  register_id?: string;
}

@About('A reading of the past.')
export class HistoricalReading extends Reading {
  @Flag('Whether it was billed.', { required: true, example: true })
  billed: boolean;

  @Choice('Whether it was found plausible.', ['VALIDATED', 'UNVALIDATED', 'FAILED'], { default: 'VALIDATED' })
  validation_status?: string;
}
