import { gasMeterSerialNumber } from '../formats/codes';
import { CalendarDate, Choice, Integer, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyMeter } from './meter';
import { GasPrepayDetails } from './prepay-details';

@About('A meter for gas.')
export class GasMeter extends AnyMeter {
  @Text('Number on the meter.', {
    required: true,
    max: 32,
    format: gasMeterSerialNumber,
    example: 'E6S0099187',
  })
  meter_serial_number: string;

  @CalendarDate('First day that is not billed on it; overrides that of the meter point.')
  last_billed_to_date?: string;

  @Integer('How many digits it shows.', { required: true, min: 1, max: 15, tier: 'gbr', example: 5 })
  gas_number_of_digits: number;

  @Choice('What it counts: cubic metres (SCMH) or cubic feet (SCFH).', ['SCFH', 'SCMH'], {
    default: 'SCMH',
    tier: 'gbr',
  })
  units_of_measure?: string;

  @Nested('What stands on it, if it is prepaid.', GasPrepayDetails, { tier: 'gbr' })
  prepay_details?: GasPrepayDetails;
}
