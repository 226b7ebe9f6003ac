import { Flag, Moment } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('Options for the import process of the account.')
export class TaskParams {
  @Flag('Whether to do a dry run, which is rolled back.', { default: false }) is_dry_run?: boolean;

  @Moment('Earliest start of the import; must not be in the past.', { nullable: true })
  schedule_window_start?: string | null;

  @Moment('Latest start of the import, at most four days from now.', { nullable: true })
  schedule_window_end?: string | null;
}
