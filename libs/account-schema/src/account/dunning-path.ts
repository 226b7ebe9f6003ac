import { CalendarDate, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('The reminders that the account is to go through for its arrears.')
export class DunningPath {
  @Text('Name of the path, as the operator lists it.', {
    required: true,
    max: 256,
    example: 'Gentle reminders',
  })
  path_name: string;

  @CalendarDate("First day on the path, not before today; after the supplier's usual delay unless given.")
  start_date?: string;
}
