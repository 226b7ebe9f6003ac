import { smartDeviceIdentifier } from '../formats/codes';
import { CalendarDate, Choice, Flag, ListOf, Text } from '../vocabulary/decorators';
import { HistoricalReading, Reading } from './reading';

/** What is said alike of meters for electricity and for gas. */
export abstract class AnyMeter {
  @CalendarDate('Day on which it was fitted.', { nullable: true, example: '2021-02-20' })
  installed_on?: string | null;

  @CalendarDate('Day on which it was taken out; set once it has been exchanged.', { nullable: true })
  removed_on?: string | null;

  @ListOf('Readings from which billing goes on, of the first day that is not billed.', Reading, {
    inExample: true,
  })
  transfer_readings?: Reading[];

  @ListOf('Readings of the past; later ones only if they are not billed.', HistoricalReading)
  reading_history?: HistoricalReading[];

  @Choice('Generation of smart meter.', ['NONE', 'SMETS1', 'SMETS1_ENROLLED', 'SMETS2'], {
    default: 'NONE',
    tier: 'gbr',
  })
  smart_type?: string;

  @CalendarDate('Day on which the smart meter went into service.', { nullable: true, tier: 'gbr' })
  smart_commissioned_on?: string | null;

  @Text('Identifier of the smart meter.', { nullable: true, format: smartDeviceIdentifier, tier: 'gbr' })
  smart_device_id?: string | null;

  @Flag('Whether it is prepaid.', { default: false, tier: 'gbr' })
  is_prepay?: boolean;

  @Text("The prepaying customer's reference; live electricity meters need it.", { max: 20, tier: 'gbr' })
  prepay_customer_reference_number?: string;
}
