import { type AccessToken } from './access-token';
import { isJsonObject, textField } from './json';
import { type Retrying, Unreachable } from './retrying';
import { type Answer, type Request, type Transport } from './transport';

/** One thing the service has against an account. */
export interface AccountError {
  code: string;
  /** Path of the value at fault; empty when the service names none. */
  attr: string;
  detail: string;
}

export type Scheduling =
  | { kind: 'accepted' }
  | { kind: 'already-imported' }
  | { kind: 'refused'; errors: [AccountError, ...AccountError[]] };

export interface ProcessStatus {
  status: string;
  error: AccountError | undefined;
}

/** The key was good once and is not any more; nothing further can be sent. */
export class AccessLost extends Error {
  override readonly name = 'AccessLost';
}

const ACCOUNTS = 'v2/data-import/accounts/';

/**
 * The three calls of the data-import API that bring a book of accounts over, in the words of its contract.
 * Every call may throw Unreachable, TokenRefused or AccessLost; what the service says of the account is a value.
 */
export class DataImportApi {
  constructor(
    private readonly transport: Transport,
    private readonly retrying: Retrying,
    private readonly token: AccessToken,
  ) {}

  /**
   * @param body the account as it stands in the book, or wrapped with its task parameters
   * @param toValidate makes the validate endpoint's form of it; called only when the account is refused
   */
  async schedule(body: string, toValidate: () => string): Promise<Scheduling> {
    const answer = await this.send({ method: 'POST', path: ACCOUNTS, body });
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
    const answer = await this.send({ method: 'GET', path });
    const status = textField(answer.body, 'status');
    if (answer.status !== 200 || status === undefined) return undefined;
    return { status, error: errorOf(isJsonObject(answer.body) ? answer.body['latest_error'] : undefined) };
  }

  /**
   * Every error of a refused account; the schedule endpoint names only the fact. None when they cannot be had:
   * the refusal stands without them.
   */
  private async validate(body: string): Promise<AccountError[]> {
    const answer = await this.send({ method: 'POST', path: `${ACCOUNTS}validate/`, body }).catch(
      onlyUnreachable,
    );
    const errors = isJsonObject(answer?.body) ? answer.body['errors'] : undefined;
    if (!Array.isArray(errors)) return [];
    return errors.map(errorOf).filter((error) => error !== undefined);
  }

  private async send(request: Request): Promise<Answer> {
    const answer = await this.retrying.until(() => this.sendWithToken(request));
    if (answer.status === 401) {
      throw new AccessLost(textField(answer.body, 'detail') ?? 'the service no longer accepts the API key');
    }
    return answer;
  }

  /** A token may lapse between being handed out and being checked; one new token a request settles that. */
  private async sendWithToken(request: Request): Promise<Answer> {
    const token = await this.token.current();
    const answer = await this.transport.send({ ...request, authorization: `Token ${token}` });
    if (answer.status !== 401) return answer;
    this.token.discard(token);
    return this.transport.send({ ...request, authorization: `Token ${await this.token.current()}` });
  }
}

function onlyUnreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}

function errorOf(value: unknown): AccountError | undefined {
  const code = textField(value, 'code');
  if (code === undefined) return undefined;
  return { code, attr: textField(value, 'attr') ?? '', detail: textField(value, 'detail') ?? '' };
}

function errorOfStatus(status: number): AccountError {
  return {
    code: `http_${status}`,
    attr: '',
    detail: `The service answered with status ${status} and no reason.`,
  };
}
