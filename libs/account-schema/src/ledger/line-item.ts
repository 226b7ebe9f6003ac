import { AMOUNTS } from '../vocabulary/amounts';
import { CalendarDate, Decimal, Dictionary, ListOfDecimals, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The charge at one rate for one period.')
export class LineItem {
  @CalendarDate('First day charged.', { required: true, example: '2024-05-01' }) start_date: string;
  @CalendarDate('Last day charged.', { required: true, example: '2024-05-31' }) end_date: string;

  @Decimal('Number of units, such as kWh, cubic metres or days.', {
    required: true,
    whole: 12,
    places: 4,
    example: '210',
  })
  number_of_units: string;

  @Decimal("Price of one unit; defaults to the product's rate.", {
    amount: AMOUNTS.price,
    whole: 8,
    places: 7,
    example: '0.2450',
  })
  price_per_unit?: string;

  /** Not rounded to the currency, unlike amounts that change a balance. */
  @Decimal('Charge without tax.', {
    amount: AMOUNTS.charge,
    required: true,
    whole: 10,
    places: 10,
    example: '51.45',
  })
  net_amount: string;

  @ListOfDecimals('Opening and closing meter readings.', {
    whole: 12,
    places: 4,
    example: ['14210', '14420'],
  })
  units?: string[];

  @Text('Rate band of the product.', { example: 'CONSUMPTION_STANDARD' }) rate_band?: string;
  @Text('Rate specification of the product.', { identifies: true }) rate_specification_code?: string;

  @Text('Code of the time series specification used for the charge.', { identifies: true })
  time_series_specification_code?: string;

  @Text("Identifier of the rate in the supplier's system, for rates that replace others.", {
    identifies: true,
  })
  external_rate_identifier?: string;

  @Dictionary('Additional parameters, such as which of several meters was charged.', { default: {} })
  params?: Record<string, unknown>;
}
