import { CalendarDate, Text } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About("The sequence of reminders for the account's arrears.")
export class DunningPath {
  @Text("Name of the path, from the operator's list.", {
    required: true,
    max: 256,
    example: 'Gentle reminders',
    list: 'dunning_paths',
  })
  path_name: string;

  @CalendarDate("First day on the path, not in the past; defaults to a day after the supplier's usual delay.")
  start_date?: string;
}
