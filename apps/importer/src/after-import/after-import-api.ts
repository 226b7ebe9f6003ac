import {
  type Failure,
  type FieldError,
  isJsonObject,
  type PortageClient,
  type RetryPolicy,
  type Success,
  textField,
} from '@portage/client';
import { errorsOf } from '../api/refusal';
import type { AfterImportRequest, Endpoint } from './request-line';

/** What became of the items of an accepted request. */
export interface Additions {
  added: number;
  /** Items that exist with the same content. */
  alreadyThere: number;
  /** Part of `added`: transactions that were moved into the open statement period. */
  moved: number;
  /** Items that would be added, if the request is a dry run. */
  dryRun: number;
  /** Transactions that exist with other content, which is unchanged: one error each. */
  differing: FieldError[];
}

/** The result of a request: what became of its items, or why none was added. */
export type AdditionResult =
  | ({ kind: 'done'; ignoredFields: string[] } & Additions)
  | { kind: 'refused'; errors: [FieldError, ...FieldError[]] }
  /** The service responded with 500 repeatedly. */
  | { kind: 'failed'; error: FieldError };

/** A request as written in the file. */
interface AdditionOptions {
  text: string;
  search: string;
  headers: { 'Idempotency-Key': string };
  retry: Partial<RetryPolicy>;
  throwOnError: false;
}

type Operation = (
  portage: PortageClient,
  options: AdditionOptions,
) => Promise<Success<unknown> | Failure<unknown>>;

const OPERATIONS: Record<Endpoint, Operation> = {
  notes: (portage, options) => portage.createNotes(options),
  transactions: (portage, options) => portage.createTransactions(options),
  'historical-statements': (portage, options) => portage.createHistoricalStatements(options),
  'payment-instruction': (portage, options) => portage.createPaymentInstruction(options),
};

/**
 * A 500 may be temporary, because the payment vendor may be unavailable (contract, "Create a payment instruction"). An
 * attempt takes up to 30 s.
 */
const MAX_INSTRUCTION_SERVER_ERRORS = 5;

/** The four calls that add to an imported account (contract, "Add notes" to "Create a payment instruction"). */
export class AfterImportApi {
  constructor(private readonly portage: PortageClient) {}

  /** Sends a request. @throws Unreachable, TokenRefused, AccessLost */
  async add({ endpoint, query, body, items, idempotencyKey }: AfterImportRequest): Promise<AdditionResult> {
    const { data, error, response } = await OPERATIONS[endpoint](this.portage, {
      text: body,
      search: query,
      headers: { 'Idempotency-Key': idempotencyKey },
      retry: endpoint === 'payment-instruction' ? { maxServerErrors: MAX_INSTRUCTION_SERVER_ERRORS } : {},
      throwOnError: false,
    });
    if (error === undefined) {
      // A replayed response to a retry belongs to an earlier attempt of this run; to a first attempt, to an earlier run.
      const before = response.replayed && response.attempts === 1;
      const isNothingNew = before || response.status === NOTHING_CREATED;
      const additions = countAdditions(data, items, isNothingNew);
      return { kind: 'done', ignoredFields: response.ignoredFields, ...additions };
    }
    const errors = errorsOf(error);
    if (error.status >= 500) return { kind: 'failed', error: errors[0] };
    return { kind: 'refused', errors };
  }
}

/** The status of an answer about statements that the account has already, all of them and with the same content. */
const NOTHING_CREATED = 200;

const ALREADY_EXISTS_STATUSES = new Set(['NOTE_ALREADY_EXISTS', 'TRANSACTION_ALREADY_EXISTS']);

/** Responses about notes are a list, about transactions a list in `results`; others have no status per item. */
function countAdditions(body: unknown, items: number, isNothingNew: boolean): Additions {
  const listed = isJsonObject(body) ? body['results'] : body;
  const results: unknown[] = Array.isArray(listed) ? listed : [];
  const differing = results.map(findDifference).filter((error) => error !== undefined);
  const existing = results.filter((one) => ALREADY_EXISTS_STATUSES.has(textField(one, 'status') ?? ''));
  const alreadyThere = isNothingNew ? items - differing.length : existing.length - differing.length;
  const added = items - alreadyThere - differing.length;
  if (isJsonObject(body) && body['dry_run'] === true)
    return { added: 0, alreadyThere, moved: 0, dryRun: added, differing };
  const moved = isNothingNew ? 0 : results.filter((one) => textField(one, 'moved_to') !== undefined).length;
  return { added, alreadyThere, moved, dryRun: 0, differing };
}

function findDifference(result: unknown, index: number): FieldError | undefined {
  const fields = isJsonObject(result) ? result['differences'] : undefined;
  if (!Array.isArray(fields)) return undefined;
  return {
    code: 'transaction_differing',
    attr: `transactions.${index}`,
    detail: `The transaction exists with other content, which is unchanged. Differing fields: ${fields.join(', ')}.`,
  };
}
