import { CalendarDate, Choice, Decimal, Integer, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

/** The published measurement classes. */
export const MEASUREMENT_CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];

@About('A capacity agreed for a period.')
export class CapacityValue {
  @CalendarDate('First day of the period.', { required: true, tier: 'gbr' }) effective_from_date: string;
  @CalendarDate('Last day of the period.', { tier: 'gbr' }) effective_to_date?: string;

  @Decimal('Capacity in kVA.', { required: true, whole: 5, places: 2, tier: 'gbr', example: '69.00' })
  value: string;
}

@About('The settlement configuration of an electricity meter point for a period.')
export class ConfigurationPeriod {
  @CalendarDate('First day of the period.', { required: true, tier: 'gbr' }) effective_from_date: string;

  @CalendarDate('First day of the next period; left out of the latest period.', { tier: 'gbr' })
  effective_to_date?: string;

  @Choice('Energised (E) or not (D).', ['E', 'D'], { tier: 'gbr' }) energisation_status?: string;
  @Text('Grid supply point group.', { identifies: true, max: 2, tier: 'gbr' }) gsp?: string;
  @Text('Line loss factor class.', { identifies: true, max: 3, tier: 'gbr' }) llf?: string;
  @Choice('Measurement class.', MEASUREMENT_CLASSES, { tier: 'gbr' }) measurement_class?: string;
  @Integer('Meter timeswitch code.', { tier: 'gbr' }) mtc?: number;
  @Integer('Profile class.', { tier: 'gbr' }) profile_class?: number;
  @Text('Standard settlement configuration.', { identifies: true, max: 4, tier: 'gbr' }) ssc?: string;
}

@About('An estimated annual consumption of electricity.')
export class EacEntry {
  @CalendarDate('First day that the estimate applies to.', { required: true, tier: 'gbr' })
  effective_from: string;

  @Text('Time pattern regime.', { identifies: true, required: true, max: 16, tier: 'gbr', example: '00001' })
  tpr: string;

  @Decimal('Kilowatt hours per year.', {
    required: true,
    whole: 8,
    places: 2,
    tier: 'gbr',
    example: '2610.00',
  })
  consumption: string;

  @Text('Source of the estimate, such as a data flow.', { max: 255, tier: 'gbr', example: 'D0019' })
  source?: string;
}

@About('An annual quantity of gas.')
export class AqEntry {
  @CalendarDate('First day that the quantity applies to.', { required: true, tier: 'gbr' })
  effective_from: string;

  @CalendarDate('Last day that the quantity applies to; null for the current one.', {
    nullable: true,
    tier: 'gbr',
  })
  effective_to?: string | null;

  @Decimal('Kilowatt hours per year.', { required: true, whole: 8, places: 2, tier: 'gbr', example: '11200' })
  consumption: string;

  @Text('Source of the quantity.', { max: 255, tier: 'gbr' }) source?: string;
}
