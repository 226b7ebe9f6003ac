import { CalendarDate, Choice, Decimal, Integer, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

export const MEASUREMENT_CLASSES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];

@About('Capacity that was agreed for a time.')
export class CapacityValue {
  @CalendarDate('First day.', { required: true, tier: 'gbr' })
  effective_from_date: string;

  @CalendarDate('Last day.', { tier: 'gbr' })
  effective_to_date?: string;

  @Decimal('Capacity in kVA.', { required: true, whole: 5, places: 2, tier: 'gbr', example: '69.00' })
  value: string;
}

@About('How an electricity meter point was settled for a time.')
export class ConfigurationPeriod {
  @CalendarDate('First day.', { required: true, tier: 'gbr' })
  effective_from_date: string;

  @CalendarDate('First day of the next period; left out of the latest.', { tier: 'gbr' })
  effective_to_date?: string;

  @Choice('Energised (E) or not (D).', ['E', 'D'], { tier: 'gbr' })
  energisation_status?: string;

  @Text('Group of grid supply points.', { max: 2, tier: 'gbr' })
  gsp?: string;

  @Text('Class of line loss factors.', { max: 3, tier: 'gbr' })
  llf?: string;

  @Choice('Class of settlement.', MEASUREMENT_CLASSES, { tier: 'gbr' })
  measurement_class?: string;

  @Integer('Meter timeswitch code.', { tier: 'gbr' })
  mtc?: number;

  @Integer('Profile of the load.', { tier: 'gbr' })
  profile_class?: number;

  @Text('Standard settlement configuration.', { max: 4, tier: 'gbr' })
  ssc?: string;
}

@About('Estimated electricity consumption of a year.')
export class EacEntry {
  @CalendarDate('First day that the estimate holds for.', { required: true, tier: 'gbr' })
  effective_from: string;

  @Text('Time pattern regime.', { required: true, max: 16, tier: 'gbr', example: '00001' })
  tpr: string;

  @Decimal('Kilowatt hours a year.', { required: true, whole: 8, places: 2, tier: 'gbr', example: '2610.00' })
  consumption: string;

  @Text('Where the estimate came from, such as a data flow.', { max: 255, tier: 'gbr', example: 'D0019' })
  source?: string;
}

@About('Quantity of gas of a year.')
export class AqEntry {
  @CalendarDate('First day that the quantity holds for.', { required: true, tier: 'gbr' })
  effective_from: string;

  @CalendarDate('Last day; null for the current one.', { nullable: true, tier: 'gbr' })
  effective_to?: string | null;

  @Decimal('Kilowatt hours a year.', { required: true, whole: 8, places: 2, tier: 'gbr', example: '11200' })
  consumption: string;

  @Text('Where the quantity came from.', { max: 255, tier: 'gbr' })
  source?: string;
}
