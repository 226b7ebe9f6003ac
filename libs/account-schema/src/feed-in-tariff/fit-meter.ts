import { CalendarDate, Choice, Decimal, ListOfTexts, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About("A reading of an installation's meter.")
export class FitReading {
  @CalendarDate('Day of the reading.', { required: true, tier: 'gbr' }) reading_date: string;

  @Decimal('Value of the reading, in kWh.', {
    required: true,
    whole: 10,
    places: 10,
    tier: 'gbr',
    example: '4210.00',
  })
  reading_value: string;
}

@About('A meter by which one or more installations are paid.')
export class FitMeter {
  @Choice('Type of the meter.', ['EXPORT', 'SUPPLY', 'GENERATION'], { required: true, tier: 'gbr' })
  type: string;

  @Text('Serial number of the meter.', {
    identifies: true,
    required: true,
    tier: 'gbr',
    example: 'G09A11234',
  })
  serial_number: string;

  @ListOfTexts('Extensions that the meter serves, by their numbers in the national register.', {
    item: { identifies: true },
    required: true,
    minItems: 1,
    tier: 'gbr',
    example: ['1'],
  })
  extensions: string[];

  @CalendarDate('First day that has not been paid.', { required: true, tier: 'gbr' })
  last_billed_to_date: string;

  @Nested('Reading from which payment continues.', FitReading, { required: true, tier: 'gbr' })
  transfer_reading: FitReading;

  @Text('MPAN of 13 digits; optional for export and generation.', { identifies: true, tier: 'gbr' })
  mpan?: string;

  @Text('Manufacturer of the meter.', { tier: 'gbr' }) make?: string;
  @Text('Model of the meter.', { tier: 'gbr' }) model?: string;
}
