import { mpan } from '../formats/supply-point-identifier';
import { Choice, Flag, Integer, ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { MeterPointAgents } from './agent-contract';
import { ElectricityAgreement } from './electricity-agreement';
import { ElectricityMeter } from './electricity-meter';
import { AnyMeterPoint } from './meter-point';
import { CapacityValue, ConfigurationPeriod, EacEntry, MEASUREMENT_CLASSES } from './settlement';

const READING_CYCLES = ['A', 'B', 'D', 'E', 'H', 'M', 'N', 'O', 'Q', 'S', 'T', 'W', 'Z'];

@About('A point at which electricity is supplied.')
export class ElectricityMeterPoint extends AnyMeterPoint {
  @Choice('Marks electricity.', ['ELECTRICITY'], { required: true })
  supply_type: 'ELECTRICITY';

  @Text('The MPAN core in Great Britain.', { required: true, format: mpan })
  identifier: string;

  @ListOf('Agreements on the price, one after the other.', ElectricityAgreement, { inExample: true })
  agreements?: ElectricityAgreement[];

  @ListOf('Meters, those that were exchanged too.', ElectricityMeter, { inExample: true })
  meters?: ElectricityMeter[];

  @Choice('Class of settlement: B and D are unmetered, C to G half-hourly.', MEASUREMENT_CLASSES, {
    tier: 'gbr',
    example: 'A',
  })
  measurement_class?: string;

  @Integer('Profile of the load.', { tier: 'gbr', example: 1 })
  profile_class?: number;

  @Text('Standard settlement configuration.', { tier: 'gbr', example: '0393' })
  ssc?: string;

  @Choice(
    'Set where electricity is fed in: alone, or beside an import meter point with the same serial number.',
    ['IMPORT_EXPORT', 'EXPORT_ONLY'],
    {
      tier: 'gbr',
    },
  )
  export_type?: string;

  @Flag('Whether it is cut off.', { default: false, tier: 'gbr' })
  is_deenergised?: boolean;

  @Choice('Reading cycle that agents are told.', READING_CYCLES, { tier: 'gbr' })
  regular_reading_cycle?: string;

  @ListOf('Agreed capacity over time.', CapacityValue, { tier: 'gbr' })
  capacity_values?: CapacityValue[];

  @ListOf('Settlement configuration over time.', ConfigurationPeriod, { tier: 'gbr' })
  configuration_periods?: ConfigurationPeriod[];

  @ListOf('Estimated consumption of a year over time, by time pattern regime.', EacEntry, { tier: 'gbr' })
  eac_history?: EacEntry[];

  @Nested('Agents to appoint, each by its contract.', MeterPointAgents, { nullable: true, tier: 'gbr' })
  agents?: MeterPointAgents | null;

  @Text('Data collector to appoint when the switch goes through the market.', {
    max: 4,
    nullable: true,
    tier: 'gbr',
    deprecated: 'agents.dc_contract',
  })
  dc_to_appoint?: string | null;

  @Text('Meter operator to appoint when the switch goes through the market.', {
    max: 4,
    nullable: true,
    tier: 'gbr',
    deprecated: 'agents.mop_contract',
  })
  mop_to_appoint?: string | null;
}
