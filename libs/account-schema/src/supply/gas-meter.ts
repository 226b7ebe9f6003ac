import { gasMeterSerialNumber } from '../formats/codes';
import { CalendarDate, Choice, Integer, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyMeter } from './meter';
import { GasPrepayDetails } from './prepay-details';

@About('A gas meter.')
export class GasMeter extends AnyMeter {
  @Text('Serial number of the meter.', {
    identifies: true,
    required: true,
    max: 32,
    format: gasMeterSerialNumber,
    example: 'E6S0099187',
  })
  meter_serial_number: string;

  @CalendarDate("First day that has not been billed on the meter; overrides the meter point's.")
  last_billed_to_date?: string;

  @Integer('Number of digits that the meter shows.', {
    required: true,
    min: 1,
    max: 15,
    tier: 'gbr',
    example: 5,
  })
  gas_number_of_digits: number;

  @Choice('Unit of measurement: cubic metres (SCMH) or cubic feet (SCFH).', ['SCFH', 'SCMH'], {
    default: 'SCMH',
    tier: 'gbr',
  })
  units_of_measure?: string;

  @Nested('Balance on the meter, if it is a prepayment meter.', GasPrepayDetails, { tier: 'gbr' })
  prepay_details?: GasPrepayDetails;
}
