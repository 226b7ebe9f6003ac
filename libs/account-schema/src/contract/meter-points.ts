import { mpan, mprn } from '../formats/formats';
import { CalendarDate, Choice, Code, Flag, Integer, ListOf, Nested, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';
import { unionOf } from '../vocabulary/union';
import { ElectricityAgreement, GasAgreement } from './agreements';
import { ElectricityMeter, GasMeter } from './meters';
import {
  AqEntry,
  CapacityValue,
  ConfigurationPeriod,
  EacEntry,
  MEASUREMENT_CLASSES,
  MeterPointAgents,
  SmartInterest,
  SmartSiteVisit,
  TaxExemption,
} from './settlement';

/** The fields that electricity and gas meter points share. */
export abstract class AnyMeterPoint {
  @CalendarDate('First day of supply.', { required: true, example: '2021-03-01' }) supply_start_date: string;
  @CalendarDate('Day on which supply ended or will end.', { nullable: true }) supply_end_date?: string | null;

  @CalendarDate("First day that has not been billed at the meter point; overrides the account's.", {
    example: '2024-06-01',
  })
  last_billed_to_date?: string;

  @Code('Market participant identifier of the supplier.', {
    required: true,
    maxLength: 4,
    tier: 'gbr',
    example: 'XSUP',
  })
  mpid: string;

  @Flag('Whether a reading is in dispute; such a meter point cannot be imported.', {
    nullable: true,
    tier: 'gbr',
  })
  dr_in_progress?: boolean | null;

  @Flag('Whether an erroneous transfer is being undone; such a meter point cannot be imported.', {
    nullable: true,
    tier: 'gbr',
  })
  et_in_progress?: boolean | null;

  @ListOf('Exemptions from the climate change levy; for business accounts.', TaxExemption, { tier: 'gbr' })
  ccl_exemptions?: TaxExemption[];

  @ListOf('Exemptions from VAT; for business accounts.', TaxExemption, { tier: 'gbr' })
  vat_exemptions?: TaxExemption[];

  @Nested('Whether the customer wants a smart meter.', SmartInterest, { tier: 'gbr' })
  smart_refusal_interest?: SmartInterest;

  @ListOf('Visits about a smart meter.', SmartSiteVisit, { tier: 'gbr' }) smart_site_visit?: SmartSiteVisit[];
}

const READING_CYCLES = ['A', 'B', 'D', 'E', 'H', 'M', 'N', 'O', 'Q', 'S', 'T', 'W', 'Z'] as const;

const EXPORT_TYPES = ['IMPORT_EXPORT', 'EXPORT_ONLY'] as const;

@About('A meter point for electricity.')
export class ElectricityMeterPoint extends AnyMeterPoint {
  @Choice('Type of supply: electricity.', ['ELECTRICITY'], { required: true }) supply_type: 'ELECTRICITY';

  @Code('Identifier of the supply point; the MPAN core in Great Britain.', { required: true, format: mpan })
  identifier: string;

  @ListOf('Consecutive agreements on the price.', ElectricityAgreement, { inExample: true })
  agreements?: ElectricityAgreement[];

  @ListOf('Meters, including removed ones.', ElectricityMeter, { inExample: true })
  meters?: ElectricityMeter[];

  @Choice('Measurement class: B and D are unmetered, C and E to G half-hourly.', MEASUREMENT_CLASSES, {
    tier: 'gbr',
    example: 'A',
  })
  measurement_class?: (typeof MEASUREMENT_CLASSES)[number];

  @Integer('Profile class.', { tier: 'gbr', example: 1 }) profile_class?: number;

  @Code('Standard settlement configuration.', { tier: 'gbr', example: '0393' }) ssc?: string;

  @Choice(
    'Set if electricity is exported: alone, or in addition to an import meter point with the same serial number.',
    EXPORT_TYPES,
    { tier: 'gbr' },
  )
  export_type?: (typeof EXPORT_TYPES)[number];

  @Flag('Whether the meter point is de-energised.', { default: false, tier: 'gbr' }) is_deenergised?: boolean;

  @Choice('Regular reading cycle reported to agents.', READING_CYCLES, { tier: 'gbr' })
  regular_reading_cycle?: (typeof READING_CYCLES)[number];

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
    maxLength: 4,
    nullable: true,
    tier: 'gbr',
    deprecated: 'agents.dc_contract',
  })
  dc_to_appoint?: string | null;

  @Text('Meter operator to appoint if the supply point is switched through the market.', {
    maxLength: 4,
    nullable: true,
    tier: 'gbr',
    deprecated: 'agents.mop_contract',
  })
  mop_to_appoint?: string | null;
}

const DISTRIBUTION_ZONES = [
  'SC',
  'LC',
  'LO',
  'LS',
  'LT',
  'LW',
  'NO',
  'NE',
  'NW',
  'WM',
  'EM',
  'EA',
  'WN',
  'WS',
  'NT',
  'SO',
  'SE',
  'SW',
  '',
] as const;

const GAS_READING_CYCLES = ['CYYY', 'CYSS', 'CYQS', 'CYLM', 'CYSM', 'CYNM'] as const;

@About('A meter point for gas.')
export class GasMeterPoint extends AnyMeterPoint {
  @Choice('Type of supply: gas.', ['GAS'], { required: true }) supply_type: 'GAS';

  @Code('Identifier of the supply point; the MPRN in Great Britain.', { required: true, format: mprn })
  identifier: string;

  @ListOf('Consecutive agreements on the price.', GasAgreement, { inExample: true })
  agreements?: GasAgreement[];

  @ListOf('Meters, including removed ones.', GasMeter, { inExample: true }) meters?: GasMeter[];

  @Code('Market participant identifier of the shipper.', {
    required: true,
    maxLength: 3,
    tier: 'gbr',
    example: 'XSH',
  })
  shipper_mpid: string;

  @Choice('Local distribution zone.', DISTRIBUTION_ZONES, { tier: 'gbr', example: 'EM' })
  ldz?: (typeof DISTRIBUTION_ZONES)[number];

  @Choice('Regular reading cycle reported to agents.', GAS_READING_CYCLES, { tier: 'gbr' })
  regular_reading_cycle?: (typeof GAS_READING_CYCLES)[number];

  @ListOf('Consecutive annual quantities, one of them current.', AqEntry, { tier: 'gbr' })
  aq_history?: AqEntry[];

  @Text('Meter asset manager to appoint if the supply point is switched through the market.', {
    maxLength: 3,
    nullable: true,
    tier: 'gbr',
  })
  mam_to_appoint?: string | null;
}

/** A meter point for electricity or gas. */
export type MeterPoint = ElectricityMeterPoint | GasMeterPoint;

/** The union of all meter points, by `supply_type`. */
export const anyMeterPoint = unionOf(
  'MeterPoint',
  'A meter point; `supply_type` selects its form.',
  'supply_type',
  { ELECTRICITY: ElectricityMeterPoint, GAS: GasMeterPoint },
);
