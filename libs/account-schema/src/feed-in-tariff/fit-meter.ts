import { CalendarDate, Choice, Decimal, ListOfTexts, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('What a meter of an installation showed on a day.')
export class FitReading {
  @CalendarDate('The day.', { required: true, tier: 'gbr' })
  reading_date: string;

  @Decimal('What it showed, in kWh.', {
    required: true,
    whole: 10,
    places: 10,
    tier: 'gbr',
    example: '4210.00',
  })
  reading_value: string;
}

@About('A meter that one or several installations are paid by.')
export class FitMeter {
  @Choice('What it counts.', ['EXPORT', 'SUPPLY', 'GENERATION'], { required: true, tier: 'gbr' })
  type: string;

  @Text('Number on the meter.', { required: true, tier: 'gbr', example: 'G09A11234' })
  serial_number: string;

  @ListOfTexts('Extensions that it serves, as the national register numbers them.', {
    required: true,
    minItems: 1,
    tier: 'gbr',
    example: ['1'],
  })
  extensions: string[];

  @CalendarDate('First day that has not been paid.', { required: true, tier: 'gbr' })
  last_billed_to_date: string;

  @Nested('Reading from which payment goes on.', FitReading, { required: true, tier: 'gbr' })
  transfer_reading: FitReading;

  @Text('The MPAN, 13 digits; may be left out for export and generation.', { tier: 'gbr' })
  mpan?: string;

  @Text('Who made it.', { tier: 'gbr' })
  make?: string;

  @Text('Its model.', { tier: 'gbr' })
  model?: string;
}
