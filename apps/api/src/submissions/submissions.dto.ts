import { ApiSchema } from '@nestjs/swagger';
import { TaskParams } from '@portage/account-schema/service';
import { formatMoney, parseMoney } from '@portage/platform';
import { readIdentifier } from '@portage/text';
import {
  LINE_OUTCOMES,
  type LineOutcome,
  SUBMISSION_KINDS,
  SUBMISSION_MODES,
  type SubmissionKind,
  type SubmissionMode,
  type ExpectedValues,
  type SubmissionParams,
  type SubmissionRequest,
} from '@portage/submissions';
import {
  ChoiceField,
  ChoicesField,
  Field,
  FlagField,
  ImportSupplierField,
  LimitField,
  ObjectField,
  SupplierField,
  TextField,
  UnreadField,
} from '../http/fields';

const MAX_REFERENCE_LENGTH = 128;

/** Rows of the longest page. */
const MAX_PAGE_ROWS = 1_000;

/** The query of the list of submissions. */
export class SubmissionsQuery {
  @SupplierField()
  supplier: string;

  @LimitField(MAX_PAGE_ROWS, { default: 100, description: 'Rows of a page' })
  limit: number;

  @TextField({
    max: Infinity,
    description: 'The id of the last row of the previous page',
    detail: 'after must be one id of a submission.',
  })
  after?: string;

  @Field(
    {
      code: 'invalid',
      detail: `reference must be one text of at most ${MAX_REFERENCE_LENGTH} visible characters.`,
      parse: parseReference,
    },
    { type: 'string', minLength: 1, maxLength: MAX_REFERENCE_LENGTH },
    { description: 'Only the submission with this reference' },
  )
  reference?: string;
}

/** The query of the results of a submission. */
export class ResultsQuery {
  @ChoicesField(LINE_OUTCOMES, {
    description:
      'Only accounts with this outcome. May be repeated or have commas. By default all are listed.',
  })
  outcome?: LineOutcome[];
}

/** Whole digits of an expected opening balance. */
const MAX_BALANCE_DIGITS = 17;

/** The expected number of something. Null counts as absent. */
function ExpectedCount(): PropertyDecorator {
  const parser = {
    code: 'invalid',
    detail: 'Enter a whole number that is not negative.',
    parse: (value: unknown) => (Number.isSafeInteger(value) && (value as number) >= 0 ? value : undefined),
  };
  return Field(parser, { type: 'integer', nullable: true, minimum: 0 }, {});
}

/** An expected sum of balances. */
function ExpectedBalance(meaning: string): PropertyDecorator {
  return Field(
    {
      code: 'invalid',
      detail: `Enter an amount of at most ${MAX_BALANCE_DIGITS} digits before the point and two after it, such as "-1234.50".`,
      parse: parseBalance,
    },
    { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    { description: `In the currency of the supplier, as decimal text. ${meaning}` },
  );
}

@ApiSchema({
  description:
    'Control totals, any of the measures of the kind: for accounts, or for additions (lines, notes, transactions with a count and a sum for each type, statements, payment instructions).',
})
export class ExpectedTotals implements ExpectedValues {
  @ExpectedCount()
  accounts?: number;

  @ExpectedCount()
  lines?: number;

  @ExpectedCount()
  notes?: number;

  @ExpectedCount()
  charges?: number;

  @ExpectedBalance('The sum of the charges.')
  charge_total?: string;

  @ExpectedCount()
  supply_charges?: number;

  @ExpectedBalance('The sum of the supply charges.')
  supply_charge_total?: string;

  @ExpectedCount()
  credits?: number;

  @ExpectedBalance('The sum of the credits.')
  credit_total?: string;

  @ExpectedCount()
  payments?: number;

  @ExpectedBalance('The sum of the payments.')
  payment_total?: string;

  @ExpectedCount()
  repayments?: number;

  @ExpectedBalance('The sum of the repayments.')
  repayment_total?: string;

  @ExpectedCount()
  customers?: number;

  @ExpectedCount()
  supply_points?: number;

  @ExpectedCount()
  readings?: number;

  @ExpectedCount()
  statements?: number;

  @Field(
    {
      code: 'invalid',
      detail: 'Enter a whole number of minor units, such as 123450 for 1234.50.',
      parse: (value: unknown) =>
        typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined,
    },
    { type: 'integer', nullable: true },
    { description: 'The sum of `gross_amount`, in the lowest denomination of the currency of the supplier.' },
  )
  statement_total?: number;

  @ExpectedCount()
  transactions?: number;

  @ExpectedBalance('Debits are below zero.')
  opening_balance?: string;

  @ExpectedBalance('The sum of the balances below zero, so itself below zero: what customers owe.')
  opening_debits?: string;

  @ExpectedBalance('The sum of the balances above zero: what customers have to their credit.')
  opening_credits?: string;

  @ExpectedCount()
  payment_instructions?: number;

  @ExpectedCount()
  debts?: number;

  @ExpectedCount()
  documents?: number;
}

/** Decimal text with two decimals. */
function parseBalance(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const money = parseMoney(String(value).trim(), MAX_BALANCE_DIGITS);
  return money === undefined ? undefined : formatMoney(money);
}

/** The parameters as they were sent: the use case reads the window in the time zone of the supplier. */
export class SubmissionTaskParams implements SubmissionParams {
  @FlagField()
  is_dry_run?: boolean;

  @UnreadField()
  schedule_window_start?: unknown;

  @UnreadField()
  schedule_window_end?: unknown;
}

/** The body that opens a submission. */
export class OpenSubmissionRequest implements SubmissionRequest {
  @ImportSupplierField()
  import_supplier: string;

  @Field(
    {
      code: 'invalid',
      missingCode: 'required',
      detail: `Enter your own name for the submission: 1 to ${MAX_REFERENCE_LENGTH} visible characters.`,
      parse: parseReference,
    },
    { type: 'string', minLength: 1, maxLength: MAX_REFERENCE_LENGTH },
    { required: true, description: 'Unique for each supplier.' },
  )
  reference: string;

  @ChoiceField(SUBMISSION_KINDS, {
    description:
      'What its lines have: `accounts` (the default), or `additions` to imported accounts, which are uploaded to `additions/`.',
  })
  kind?: SubmissionKind;

  @ChoiceField(SUBMISSION_MODES, {
    description:
      'What becomes of accounts: `create` (the default) refuses those that are imported with other content, `correct` those that are not imported, `create-or-correct` refuses none of both. An account that is imported with the same content is unchanged in each.',
  })
  mode?: SubmissionMode;

  @ObjectField(ExpectedTotals, { nullable: true })
  expected?: ExpectedTotals | null;

  @ObjectField(SubmissionTaskParams, { nullable: true, schemaOf: TaskParams })
  task_params?: SubmissionTaskParams | null;
}

function parseReference(value: unknown): string | undefined {
  const text = typeof value === 'string' ? readIdentifier(value) : undefined;
  return text !== undefined && Array.from(text).length <= MAX_REFERENCE_LENGTH ? text : undefined;
}
