import { type ApiError, parseError, errorFromStatus } from './api-error';
import { type AuthorizedClient } from './authorized-client';
import { isJsonObject, textField } from './json';
import { Unreachable } from './retrier';

/** The result of scheduling an account. */
export type Scheduling =
  | { kind: 'accepted' }
  | { kind: 'already-imported' }
  | { kind: 'refused'; errors: [ApiError, ...ApiError[]] };

/** The state of an import process, and its latest error if any. */
export interface ProcessStatus {
  status: string;
  error: ApiError | undefined;
}

const ACCOUNTS = 'v2/data-import/accounts/';

/**
 * The calls of the data-import API that import a book of accounts. Every call may throw Unreachable, TokenRefused or
 * AccessLost. Errors about the account itself are return values.
 */
export class DataImportApi {
  constructor(private readonly requests: AuthorizedClient) {}

  /**
   * Schedules the import of an account. If the account is refused, reads all of its errors from the validate endpoint.
   *
   * @param body the account as written in the book, or wrapped with its task parameters
   * @param toValidate builds the body for the validate endpoint; called only if the account is refused
   */
  async schedule(body: string, toValidate: () => string): Promise<Scheduling> {
    const answer = await this.requests.send({ method: 'POST', path: ACCOUNTS, body });
    if (answer.status >= 200 && answer.status < 300) return { kind: 'accepted' };
    const nonField = isJsonObject(answer.body) ? answer.body['non_field_errors'] : undefined;
    if (textField(nonField, 'code') === 'account_import_process_already_imported') {
      return { kind: 'already-imported' };
    }
    const refusal = parseError(nonField) ?? parseError(answer.body) ?? errorFromStatus(answer.status);
    const details =
      refusal.code === 'import_process_failed_validation' ? await this.validate(toValidate()) : [];
    const [first = refusal, ...rest] = details;
    return { kind: 'refused', errors: [first, ...rest] };
  }

  /** The status of an import process; undefined if the service does not know it. */
  async status(supplier: string, externalIdentifier: string): Promise<ProcessStatus | undefined> {
    const path = `${ACCOUNTS}${encodeURIComponent(supplier)}/${encodeURIComponent(externalIdentifier)}/`;
    const answer = await this.requests.send({ method: 'GET', path });
    const status = textField(answer.body, 'status');
    if (answer.status !== 200 || status === undefined) return undefined;
    return { status, error: parseError(isJsonObject(answer.body) ? answer.body['latest_error'] : undefined) };
  }

  /**
   * All errors of a refused account, because the schedule endpoint only reports the refusal. Empty if they cannot be
   * read; the account is refused all the same.
   */
  private async validate(body: string): Promise<ApiError[]> {
    const answer = await this.requests
      .send({ method: 'POST', path: `${ACCOUNTS}validate/`, body })
      .catch(ignoreUnreachable);
    const errors = isJsonObject(answer?.body) ? answer.body['errors'] : undefined;
    if (!Array.isArray(errors)) return [];
    return errors.map(parseError).filter((error) => error !== undefined);
  }
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}
