import { Account } from '../account/account';
import { TaskParams } from '../account/task-params';
import { Nested } from '../vocabulary/decorators';
import { About } from '../vocabulary/description';

@About('An account to validate. Nothing is stored.')
export class ValidateAccountRequest {
  @Nested('The account.', Account, { required: true }) payload: Account;
}

@About('An account to import, with options.')
export class ScheduleAccountRequest {
  @Nested('The account.', Account, { required: true }) payload: Account;
  @Nested('Options for the import process.', TaskParams, { required: true }) task_params: TaskParams;
}
