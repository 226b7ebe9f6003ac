import { Account } from '../account/account';
import { TaskParams } from '../account/task-params';
import { Nested } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An account to check. Nothing is kept.')
export class ValidateAccountRequest {
  @Nested('The account.', Account, { required: true })
  payload: Account;
}

@About('An account to create, and when.')
export class ScheduleAccountRequest {
  @Nested('The account.', Account, { required: true })
  payload: Account;

  @Nested('When and how it may be created.', TaskParams, { required: true })
  task_params: TaskParams;
}
