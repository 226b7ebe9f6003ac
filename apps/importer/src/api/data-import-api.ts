import { type ApiError, parseError, errorFromStatus } from './api-error';
import { type AuthorizedClient } from './authorized-client';
import { isJsonObject, textField } from './json';
import { Unreachable } from './retrier';

/** The result of scheduling an account. */
export type Scheduling = { ignoredFields: string[] } & (
  | { kind: 'accepted' }
  /** `digest` is that of the imported payload; undefined if the service does not know it. */
  | { kind: 'already-imported'; digest: string | undefined }
  | { kind: 'refused'; errors: [ApiError, ...ApiError[]] }
);

/** The result of validating an account: no errors if it is valid. */
export interface Validation {
  errors: ApiError[];
  ignoredFields: string[];
}

/** The state of an import process, and its latest error if any. */
export interface ProcessStatus {
  status: string;
  error: ApiError | undefined;
  /** Digest of the accepted payload; undefined if the service does not know it. */
  digest: string | undefined;
}

/** The code of an account that was imported before. */
export const ALREADY_IMPORTED = 'account_import_process_already_imported';

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
   */
  async schedule(body: string): Promise<Scheduling> {
    const answer = await this.requests.send({ method: 'POST', path: ACCOUNTS, body });
    const { ignoredFields } = answer;
    if (answer.status >= 200 && answer.status < 300) return { kind: 'accepted', ignoredFields };
    const nonField = isJsonObject(answer.body) ? answer.body['non_field_errors'] : undefined;
    if (textField(nonField, 'code') === ALREADY_IMPORTED)
      return { kind: 'already-imported', digest: answer.payloadDigest, ignoredFields };
    const refusal = parseError(nonField) ?? parseError(answer.body) ?? errorFromStatus(answer.status);
    const details = refusal.code === 'import_process_failed_validation' ? await this.findErrors(body) : [];
    const [first = refusal, ...rest] = details;
    return { kind: 'refused', errors: [first, ...rest], ignoredFields };
  }

  /** Checks an account, and schedules nothing. */
  async validate(body: string): Promise<Validation> {
    const answer = await this.requests.send({ method: 'POST', path: `${ACCOUNTS}validate/`, body });
    const { ignoredFields } = answer;
    if (answer.status >= 200 && answer.status < 300) return { errors: [], ignoredFields };
    const listed = listedErrors(answer.body);
    const error = parseError(answer.body) ?? errorFromStatus(answer.status);
    return { errors: listed.length > 0 ? listed : [error], ignoredFields };
  }

  /** The status of an import process; undefined if the service does not know it. */
  async status(supplier: string, externalIdentifier: string): Promise<ProcessStatus | undefined> {
    const path = `${ACCOUNTS}${encodeURIComponent(supplier)}/${encodeURIComponent(externalIdentifier)}/`;
    const answer = await this.requests.send({ method: 'GET', path });
    const status = textField(answer.body, 'status');
    if (answer.status !== 200 || status === undefined) return undefined;
    const error = parseError(isJsonObject(answer.body) ? answer.body['latest_error'] : undefined);
    return { status, error, digest: answer.payloadDigest };
  }

  /**
   * All errors of a refused account, because the schedule endpoint only reports the refusal. Empty if they cannot be
   * read; the account is refused all the same.
   */
  private async findErrors(body: string): Promise<ApiError[]> {
    const answer = await this.requests
      .send({ method: 'POST', path: `${ACCOUNTS}validate/`, body })
      .catch(ignoreUnreachable);
    return listedErrors(answer?.body);
  }
}

function listedErrors(body: unknown): ApiError[] {
  const errors = isJsonObject(body) ? body['errors'] : undefined;
  if (!Array.isArray(errors)) return [];
  return errors.map(parseError).filter((error) => error !== undefined);
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}
