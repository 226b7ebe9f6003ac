import { electricityMeterSerialNumber } from '../formats/codes';
import { ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyMeter } from './meter';
import { ElectricityPrepayDetails } from './prepay-details';
import { Register } from './register';

@About('A meter for electricity.')
export class ElectricityMeter extends AnyMeter {
  @Text('Number on the meter.', {
    required: true,
    max: 32,
    format: electricityMeterSerialNumber,
    example: 'Z21A004410',
  })
  meter_serial_number: string;

  @ListOf('Its registers.', Register, { inExample: true })
  registers?: Register[];

  @Nested('What stands on it, if it is prepaid.', ElectricityPrepayDetails, { tier: 'gbr' })
  prepay_details?: ElectricityPrepayDetails;
}
