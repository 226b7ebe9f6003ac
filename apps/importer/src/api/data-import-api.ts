import { type ApiError, errorOf, errorOfStatus } from './api-error';
import { type AuthorizedRequests } from './authorized-requests';
import { isJsonObject, textField } from './json';
import { Unreachable } from './retrying';

export type Scheduling =
  | { kind: 'accepted' }
  | { kind: 'already-imported' }
  | { kind: 'refused'; errors: [ApiError, ...ApiError[]] };

export interface ProcessStatus {
  status: string;
  error: ApiError | undefined;
}

const ACCOUNTS = 'v2/data-import/accounts/';

/**
 * The three calls of the data-import API that bring a book of accounts over, in the words of its contract.
 * Every call may throw Unreachable, TokenRefused or AccessLost; what the service says of the account is a value.
 */
export class DataImportApi {
  constructor(private readonly requests: AuthorizedRequests) {}

  /**
   * @param body the account as it stands in the book, or wrapped with its task parameters
   * @param toValidate makes the validate endpoint's form of it; called only when the account is refused
   */
  async schedule(body: string, toValidate: () => string): Promise<Scheduling> {
    const answer = await this.requests.send({ method: 'POST', path: ACCOUNTS, body });
    if (answer.status >= 200 && answer.status < 300) return { kind: 'accepted' };
    const nonField = isJsonObject(answer.body) ? answer.body['non_field_errors'] : undefined;
    if (textField(nonField, 'code') === 'account_import_process_already_imported') {
      return { kind: 'already-imported' };
    }
    const refusal = errorOf(nonField) ?? errorOf(answer.body) ?? errorOfStatus(answer.status);
    const details =
      refusal.code === 'import_process_failed_validation' ? await this.validate(toValidate()) : [];
    const [first = refusal, ...rest] = details;
    return { kind: 'refused', errors: [first, ...rest] };
  }

  /** What the status endpoint says of the process; undefined when it knows of none. */
  async status(supplier: string, externalIdentifier: string): Promise<ProcessStatus | undefined> {
    const path = `${ACCOUNTS}${encodeURIComponent(supplier)}/${encodeURIComponent(externalIdentifier)}/`;
    const answer = await this.requests.send({ method: 'GET', path });
    const status = textField(answer.body, 'status');
    if (answer.status !== 200 || status === undefined) return undefined;
    return { status, error: errorOf(isJsonObject(answer.body) ? answer.body['latest_error'] : undefined) };
  }

  /**
   * Every error of a refused account; the schedule endpoint names only the fact. None when they cannot be had:
   * the refusal stands without them.
   */
  private async validate(body: string): Promise<ApiError[]> {
    const answer = await this.requests
      .send({ method: 'POST', path: `${ACCOUNTS}validate/`, body })
      .catch(onlyUnreachable);
    const errors = isJsonObject(answer?.body) ? answer.body['errors'] : undefined;
    if (!Array.isArray(errors)) return [];
    return errors.map(errorOf).filter((error) => error !== undefined);
  }
}

function onlyUnreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}
