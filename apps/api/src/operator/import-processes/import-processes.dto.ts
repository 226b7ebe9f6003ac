import type { Page } from '@portage/operators';
import {
  AccountChangeView,
  IMPORT_PROCESS_STATUSES,
  type ImportProcessStatus,
  STEERING_EVENTS,
  type SteeringAction,
} from '@portage/imports';
import {
  type ActionSelection,
  ProcessSummaryView,
  TAKE_BACK_REASONS,
  type TakeBackReason,
} from '@portage/operators';
import { readIdentifier } from '@portage/text';
import {
  ChoiceField,
  ConfirmationField,
  Field,
  IdField,
  IntegerField,
  MomentField,
  ObjectField,
  TextField,
} from '../../http/fields';
import { PageQuery } from '../page-query.dto';

/** The most account numbers of a selection. */
const MAX_SELECTED_NUMBERS = 1_000;

const ACTIONS = Object.keys(STEERING_EVENTS) as SteeringAction[];

/** The query of the search over all suppliers. */
export class FindProcessesQuery {
  @TextField({
    max: 128,
    required: true,
    description: 'The whole external account number, external identifier or platform account number.',
  })
  number: string;
}

/** The query of the list of processes. */
export class ProcessesQuery extends PageQuery {
  @ChoiceField(IMPORT_PROCESS_STATUSES, { description: 'Only processes in this status.' })
  status?: ImportProcessStatus;

  @TextField({ max: 128, description: 'Only processes that ended with this error code.' })
  error_code?: string;

  @TextField({
    max: 128,
    description: 'Only processes whose external account number or account number begins with this text.',
  })
  text?: string;

  @IdField({ description: 'Only processes of this submission, by its id.' })
  submission?: string;

  @MomentField({ description: 'Only accounts that were received at or after this moment.' })
  from?: Date;

  @MomentField({ description: 'Only accounts that were received before this moment.' })
  to?: Date;
}

/**
 * A page of processes. A page can have fewer items than `limit`, or none, although `next_cursor` is set: one request
 * examines at most 10,000 processes. Read on with the cursor until it is null.
 */
export type ProcessPage = Page<ProcessSummaryView>;

/** A payload, as it is stored. */
export interface Payload {
  /** The account, as the supplier sent it. */
  payload: unknown;
}

/** What a correction has changed. */
export interface CorrectionChanges {
  changes: AccountChangeView[];
}

/** The confirmation of an erasure. */
export class EraseProcessRequest {
  @ConfirmationField('The external account number, as the operator typed it.')
  confirm?: string;
}

/** A process that was erased. */
export interface ErasedProcess {
  external_account_number: string;
  was_erased_before: boolean;
}

/** The confirmation and the reason of a take-back. */
export class TakeBackRequest {
  @ConfirmationField('The external account number, as the operator typed it.')
  confirm?: string;

  @ChoiceField(TAKE_BACK_REASONS, { required: true, description: 'Why. The audit entry has it.' })
  reason: TakeBackReason;
}

/** A process whose account was taken back. */
export interface TakenBackProcess {
  external_account_number: string;
  /** Of the account that was deleted. Null if it was taken back before. */
  platform_account_number: string | null;
}

/** The processes that an action is for. Without a filter it is for all processes that it can change. */
export class ProcessSelection {
  @ChoiceField(IMPORT_PROCESS_STATUSES)
  status?: ImportProcessStatus;

  @TextField({ max: 128 })
  error_code?: string;

  @IdField({ description: 'The id of a submission of the supplier.' })
  submission?: string;

  @IntegerField({
    min: 1,
    max: 999_999_999,
    description: 'Only so many, in the order of their creation (a canary).',
  })
  first?: number;

  @Field(
    {
      code: 'invalid',
      detail: `Enter 1 to ${MAX_SELECTED_NUMBERS} account numbers.`,
      parse: readListOfNumbers,
    },
    { type: 'string', isArray: true, minItems: 1, maxItems: MAX_SELECTED_NUMBERS },
    { description: 'Only these accounts. Excludes `first` and `submission`.' },
  )
  external_account_numbers?: string[];
}

/** The body of a preview. */
export class ProcessActionPreviewRequest {
  @ChoiceField(ACTIONS, { required: true })
  action: SteeringAction;

  @ObjectField(ProcessSelection, { required: true })
  selection: ProcessSelection;
}

/** The body of an action. */
export class ProcessActionRequest extends ProcessActionPreviewRequest {
  @TextField({ required: true, description: 'The supplier code, as the operator typed it.' })
  supplier_code_typed: string;

  @TextField({ description: 'The token of the preview.' })
  token?: string;

  @TextField({ max: 2_048, description: '`next_cursor` of the call before. Absent in the first call.' })
  cursor?: string;
}

function readListOfNumbers(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_SELECTED_NUMBERS) return undefined;
  const numbers = value.map((text) => (typeof text === 'string' ? readIdentifier(text) : undefined));
  return numbers.every((number) => number !== undefined) ? numbers : undefined;
}

/** The selection by its names in the use case. */
export function toSelection({
  status,
  error_code: errorCode,
  submission,
  first,
  external_account_numbers: externalAccountNumbers,
}: ProcessSelection): ActionSelection {
  return { status, errorCode, submission, first, externalAccountNumbers };
}
