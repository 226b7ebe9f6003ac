import { Account } from '../account/account';
import { TaskParams } from '../account/task-params';
import { type ObjectType } from '../vocabulary/shape';
import { ScheduleAccountRequest, ValidateAccountRequest } from './account-request';
import { NotesRequest } from './notes-request';
import { PaymentInstructionRequest } from './payment-instruction-request';
import { StatementsRequest } from './statements-request';
import { TransactionsRequest } from './transactions-request';

/** Everything that is validated as a whole; all other classes of the contract are inside one of these. */
export const BODIES: readonly ObjectType[] = [
  Account,
  TaskParams,
  ValidateAccountRequest,
  ScheduleAccountRequest,
  NotesRequest,
  TransactionsRequest,
  StatementsRequest,
  PaymentInstructionRequest,
];
