import { electricityMeterSerialNumber } from '../formats/codes';
import { ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { AnyMeter } from './meter';
import { ElectricityPrepayDetails } from './prepay-details';
import { Register } from './register';

@About('An electricity meter.')
export class ElectricityMeter extends AnyMeter {
  @Text('Serial number of the meter.', {
    identifies: true,
    required: true,
    max: 32,
    format: electricityMeterSerialNumber,
    example: 'Z21A004410',
  })
  meter_serial_number: string;

  @ListOf('Registers of the meter.', Register, { inExample: true }) registers?: Register[];

  @Nested('Balance on the meter, if it is a prepayment meter.', ElectricityPrepayDetails, { tier: 'gbr' })
  prepay_details?: ElectricityPrepayDetails;
}
