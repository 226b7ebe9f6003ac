import { mpan } from '../formats/supply-point-identifier';
import { Choice, Flag, Integer, ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { MeterPointAgents } from './agent-contract';
import { ElectricityAgreement } from './electricity-agreement';
import { ElectricityMeter } from './electricity-meter';
import { AnyMeterPoint } from './meter-point';
import { CapacityValue, ConfigurationPeriod, EacEntry, MEASUREMENT_CLASSES } from './settlement';

const READING_CYCLES = ['A', 'B', 'D', 'E', 'H', 'M', 'N', 'O', 'Q', 'S', 'T', 'W', 'Z'];

@About('A meter point for electricity.')
export class ElectricityMeterPoint extends AnyMeterPoint {
  @Choice('Type of supply: electricity.', ['ELECTRICITY'], { required: true }) supply_type: 'ELECTRICITY';

  @Text('Identifier of the supply point; the MPAN core in Great Britain.', {
    identifies: true,
    required: true,
    format: mpan,
  })
  identifier: string;

  @ListOf('Consecutive agreements on the price.', ElectricityAgreement, { inExample: true })
  agreements?: ElectricityAgreement[];

  @ListOf('Meters, including removed ones.', ElectricityMeter, { inExample: true })
  meters?: ElectricityMeter[];

  @Choice('Measurement class: B and D are unmetered, C and E to G half-hourly.', MEASUREMENT_CLASSES, {
    tier: 'gbr',
    example: 'A',
  })
  measurement_class?: string;

  @Integer('Profile class.', { tier: 'gbr', example: 1 }) profile_class?: number;

  @Text('Standard settlement configuration.', { identifies: true, tier: 'gbr', example: '0393' })
  ssc?: string;

  @Choice(
    'Set if electricity is exported: alone, or in addition to an import meter point with the same serial number.',
    ['IMPORT_EXPORT', 'EXPORT_ONLY'],
    { tier: 'gbr' },
  )
  export_type?: string;

  @Flag('Whether the meter point is de-energised.', { default: false, tier: 'gbr' }) is_deenergised?: boolean;

  @Choice('Regular reading cycle reported to agents.', READING_CYCLES, { tier: 'gbr' })
  regular_reading_cycle?: string;

  @ListOf('Agreed capacity over time.', CapacityValue, { tier: 'gbr' }) capacity_values?: CapacityValue[];

  @ListOf('Settlement configuration over time.', ConfigurationPeriod, { tier: 'gbr' })
  configuration_periods?: ConfigurationPeriod[];

  @ListOf('Estimated annual consumption over time, by time pattern regime.', EacEntry, { tier: 'gbr' })
  eac_history?: EacEntry[];

  @Nested('Agents to appoint, identified by their contracts.', MeterPointAgents, {
    nullable: true,
    tier: 'gbr',
  })
  agents?: MeterPointAgents | null;

  @Text('Data collector to appoint if the supply point is switched through the market.', {
    max: 4,
    nullable: true,
    tier: 'gbr',
    deprecated: 'agents.dc_contract',
  })
  dc_to_appoint?: string | null;

  @Text('Meter operator to appoint if the supply point is switched through the market.', {
    max: 4,
    nullable: true,
    tier: 'gbr',
    deprecated: 'agents.mop_contract',
  })
  mop_to_appoint?: string | null;
}
