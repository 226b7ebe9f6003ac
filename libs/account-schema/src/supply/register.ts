import { CalendarDate, Flag, Integer, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('One of the counters of an electricity meter.')
export class Register {
  @Text('The register, leading zeros included.', { required: true, max: 32, example: '01' })
  register_id: string;

  @CalendarDate('First day that is not billed on it; overrides that of the meter point.')
  last_billed_to_date?: string;

  @Text('Time pattern regime.', { tier: 'gbr', example: '00001' })
  tpr?: string;

  @Integer('How many digits it shows.', { required: true, min: 1, max: 15, tier: 'gbr', example: 5 })
  number_of_digits: number;

  @Flag('Whether it is billed; it is unless this says no.', { tier: 'gbr' })
  is_settlement?: boolean;
}
