import { Account } from '../account/account';
import { TaskParams } from '../account/task-params';
import type { ObjectType } from '../vocabulary/shape';
import { ScheduleAccountRequest, ValidateAccountRequest } from './account-request';
import { NotesRequest } from './notes-request';
import { PaymentInstructionRequest } from './payment-instruction-request';
import { ProcessAccountRequest } from './process-account-request';
import { StatementsRequest } from './statements-request';
import { TransactionsRequest } from './transactions-request';

/** The classes of request bodies. All other classes of the contract are nested in one of them. */
export const BODIES: readonly ObjectType[] = [
  Account,
  TaskParams,
  ValidateAccountRequest,
  ScheduleAccountRequest,
  NotesRequest,
  TransactionsRequest,
  StatementsRequest,
  PaymentInstructionRequest,
  ProcessAccountRequest,
];
