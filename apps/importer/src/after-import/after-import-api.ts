import { type ApiError, errorOf, errorOfStatus } from '../api/api-error';
import { type AuthorizedRequests } from '../api/authorized-requests';
import { isJsonObject, textField } from '../api/json';
import { type AfterImportRequest, type Endpoint } from './request-line';

/** What the service said to a request: how many of its items are on the account now, or why none of them is. */
export type Addition =
  | { kind: 'done'; added: number; alreadyThere: number }
  | { kind: 'refused'; errors: [ApiError, ...ApiError[]] }
  /** It answered 500, again and again. */
  | { kind: 'failed'; error: ApiError };

const PATHS: Record<Endpoint, string> = {
  notes: 'v1/data-import/notes/create/',
  transactions: 'v1/data-import/transactions/create/',
  'historical-statements': 'v1/data-import/historical-statements/create/',
  'payment-instruction': 'v1/data-import/payment-instruction/create/',
};

/** 500 asks for another try, as the payment vendor may be away (contract 4.5); a try takes up to half a minute. */
const INSTRUCTION_FAULTS = 5;

/** The four calls that add to an imported account (contract 4.2 to 4.5). */
export class AfterImportApi {
  constructor(private readonly requests: AuthorizedRequests) {}

  /** @throws Unreachable, TokenRefused, AccessLost */
  async add({ endpoint, query, body, items, idempotencyKey }: AfterImportRequest): Promise<Addition> {
    const answer = await this.requests.send(
      { method: 'POST', path: PATHS[endpoint] + query, body, idempotencyKey },
      endpoint === 'payment-instruction' ? { faults: INSTRUCTION_FAULTS } : {},
    );
    if (answer.status >= 200 && answer.status < 300) {
      // A second attempt that is answered with the first one's answer has found what this run did.
      const before = answer.replayed && answer.attempts === 1;
      const alreadyThere = before ? items : alreadyThereIn(answer.body);
      return { kind: 'done', added: items - alreadyThere, alreadyThere };
    }
    const errors = errorsOf(answer.body, answer.status);
    if (answer.status >= 500) return { kind: 'failed', error: errors[0] };
    if (areAllThere(errors, items)) return { kind: 'done', added: 0, alreadyThere: items };
    return { kind: 'refused', errors };
  }
}

const THERE_ALREADY = new Set(['NOTE_ALREADY_EXISTS', 'TRANSACTION_ALREADY_EXISTS']);

/** Notes are answered with a list, transactions with one under `results`; the others with no status at all. */
function alreadyThereIn(body: unknown): number {
  const results = isJsonObject(body) ? body['results'] : body;
  if (!Array.isArray(results)) return 0;
  return results.filter((result) => THERE_ALREADY.has(textField(result, 'status') ?? '')).length;
}

/** Statements that are there already are errors, one each; when all of them are, everything is as it should be. */
function areAllThere(errors: ApiError[], items: number): boolean {
  const repeats = errors.filter(({ code }) => code === 'historical_statement_already_exists');
  return repeats.length === errors.length && new Set(repeats.map(({ attr }) => attr)).size === items;
}

function errorsOf(body: unknown, status: number): [ApiError, ...ApiError[]] {
  const listed = isJsonObject(body) ? body['errors'] : undefined;
  const errors = Array.isArray(listed) ? listed.map(errorOf).filter((error) => error !== undefined) : [];
  const [first = errorOf(body) ?? importErrorOf(body) ?? errorOfStatus(status), ...rest] = errors;
  return [first, ...rest];
}

/** The 400 about a transaction in the words of the contract alone (4.3), without a code of its own. */
function importErrorOf(body: unknown): ApiError | undefined {
  const code = textField(body, 'status');
  return code === undefined ? undefined : { code, attr: '', detail: textField(body, 'error_detail') ?? '' };
}
