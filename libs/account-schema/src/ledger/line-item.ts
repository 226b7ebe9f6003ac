import { CalendarDate, Decimal, Dictionary, ListOfDecimals, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('What was charged for one rate and one stretch of time.')
export class LineItem {
  @CalendarDate('First day charged.', { required: true, example: '2024-05-01' })
  start_date: string;

  @CalendarDate('Last day charged.', { required: true, example: '2024-05-31' })
  end_date: string;

  @Decimal('How many units: kWh, cubic metres, days.', {
    required: true,
    whole: 12,
    places: 4,
    example: '210',
  })
  number_of_units: string;

  @Decimal("Price of one unit in major currency units; the product's rate unless given.", {
    whole: 8,
    places: 7,
    example: '0.2450',
  })
  price_per_unit?: string;

  /** Not yet rounded to the currency, unlike the amounts that change a balance. */
  @Decimal('Charge without tax, in major currency units.', {
    required: true,
    whole: 10,
    places: 10,
    example: '51.45',
  })
  net_amount: string;

  @ListOfDecimals('Meter readings at the beginning and at the end.', {
    whole: 12,
    places: 4,
    example: ['14210', '14420'],
  })
  units?: string[];

  @Text('Rate band of the product.', { example: 'CONSUMPTION_STANDARD' })
  rate_band?: string;

  @Text('Rate specification of the product.')
  rate_specification_code?: string;

  @Text('Specification of the time series that was charged by.')
  time_series_specification_code?: string;

  @Text("The rate's identifier in the supplier's system; for rates that stand in for others.")
  external_rate_identifier?: string;

  @Dictionary('Further parameters, such as which of several meters is meant.', { default: {} })
  params?: Record<string, unknown>;
}
