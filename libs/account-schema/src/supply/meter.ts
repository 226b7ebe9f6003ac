import { smartDeviceIdentifier } from '../formats/codes';
import { CalendarDate, Choice, Flag, ListOf, Text } from '../vocabulary/decorators';
import { HistoricalReading, Reading } from './reading';

/** The fields that electricity and gas meters share. */
export abstract class AnyMeter {
  @CalendarDate('Day on which the meter was installed.', { nullable: true, example: '2021-02-20' })
  installed_on?: string | null;

  @CalendarDate('Day on which the meter was removed.', { nullable: true }) removed_on?: string | null;

  @ListOf('Readings of the first unbilled day, from which billing continues.', Reading, { inExample: true })
  transfer_readings?: Reading[];

  @ListOf('Historical readings; readings after the last billed day must be unbilled.', HistoricalReading)
  reading_history?: HistoricalReading[];

  @Choice(
    'Generation of the smart meter; left out if the meter is not smart.',
    ['NONE', 'SMETS1', 'SMETS1_ENROLLED', 'SMETS2'],
    { default: 'NONE', tier: 'gbr' },
  )
  smart_type?: string;

  @CalendarDate('Day on which the smart meter was commissioned.', { nullable: true, tier: 'gbr' })
  smart_commissioned_on?: string | null;

  @Text('Device identifier of the smart meter.', {
    nullable: true,
    format: smartDeviceIdentifier,
    tier: 'gbr',
  })
  smart_device_id?: string | null;

  @Flag('Whether the meter is a prepayment meter.', { default: false, tier: 'gbr' }) is_prepay?: boolean;

  @Text('Reference of the prepaying customer; required for active electricity meters.', {
    identifies: true,
    max: 20,
    tier: 'gbr',
  })
  prepay_customer_reference_number?: string;
}
