import { Flag, Moment } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('When and how the account may be created.')
export class TaskParams {
  @Flag('Whether to rehearse: everything is done, nothing is kept.', { default: false })
  is_dry_run?: boolean;

  @Moment('Not before this moment, which must not be past.', { nullable: true })
  schedule_window_start?: string | null;

  @Moment('Not after this moment, four days ahead at most.', { nullable: true })
  schedule_window_end?: string | null;
}
