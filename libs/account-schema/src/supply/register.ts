import { CalendarDate, Flag, Integer, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('A register of an electricity meter.')
export class Register {
  @Text('Identifier of the register, including leading zeros.', {
    identifies: true,
    required: true,
    max: 32,
    example: '01',
  })
  register_id: string;

  @CalendarDate("First day that has not been billed on the register; overrides the meter point's.")
  last_billed_to_date?: string;

  @Text('Time pattern regime.', { identifies: true, tier: 'gbr', example: '00001', list: 'tprs' })
  tpr?: string;

  @Integer('Number of digits that the register shows.', {
    required: true,
    min: 1,
    max: 15,
    tier: 'gbr',
    example: 5,
  })
  number_of_digits: number;

  @Flag('Whether the register is a settlement register, which is billed; defaults to true.', { tier: 'gbr' })
  is_settlement?: boolean;
}
