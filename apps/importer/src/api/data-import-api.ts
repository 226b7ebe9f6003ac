import {
  type Event,
  type FieldError,
  parseFieldError,
  type PortageClient,
  Unreachable,
} from '@portage/client';
import { errorsOf, refusalOf } from './refusal';

/** The result of scheduling an account. */
export type Scheduling = { ignoredFields: string[] } & (
  | { kind: 'accepted' }
  /** `digest` is that of the imported payload; undefined if the service does not know it. */
  | { kind: 'already-imported'; digest: string | undefined }
  | { kind: 'refused'; errors: [FieldError, ...FieldError[]] }
);

/** The result of validating an account: no errors if it is valid. */
export interface Validation {
  errors: FieldError[];
  ignoredFields: string[];
}

/** The state of an import process, and its latest error if any. */
export interface ProcessStatus {
  status: string;
  error: FieldError | undefined;
  /** Digest of the accepted payload; undefined if the service does not know it. */
  digest: string | undefined;
}

/** Shorter than the time after which a missing answer is reported. */
const FEED_WAIT_SECONDS = 5;

/** The code of an account that was imported before. */
export const ALREADY_IMPORTED = 'account_import_process_already_imported';

/**
 * The calls of the data-import API that import a book of accounts. Every call may throw Unreachable, TokenRefused or
 * AccessLost. Errors about the account itself are return values.
 */
export class DataImportApi {
  constructor(private readonly portage: PortageClient) {}

  /**
   * Schedules the import of an account. If the account is refused, reads all of its errors from the validate endpoint.
   *
   * @param text the account as written in the book, or wrapped with its task parameters
   */
  async schedule(text: string): Promise<Scheduling> {
    const { error, response } = await this.portage.scheduleAccount({ text, throwOnError: false });
    const { ignoredFields, payloadDigest } = response;
    if (error === undefined) return { kind: 'accepted', ignoredFields };
    if (error.code === ALREADY_IMPORTED)
      return { kind: 'already-imported', digest: payloadDigest, ignoredFields };
    const details = error.code === 'import_process_failed_validation' ? await this.findErrors(text) : [];
    const [first = refusalOf(error), ...rest] = details;
    return { kind: 'refused', errors: [first, ...rest], ignoredFields };
  }

  /** Checks an account, and schedules nothing. */
  async validate(text: string): Promise<Validation> {
    const { error, response } = await this.portage.validateAccount({ text, throwOnError: false });
    return { errors: error === undefined ? [] : errorsOf(error), ignoredFields: response.ignoredFields };
  }

  /** The status of an import process; undefined if the service does not know it. */
  async status(supplier: string, identifier: string): Promise<ProcessStatus | undefined> {
    const path = { supplier, identifier };
    const { data, response } = await this.portage.readAccountImport({ path, throwOnError: false });
    if (data === undefined) return undefined;
    const { status, latest_error: error } = data;
    return { status, error: parseFieldError(error), digest: response.payloadDigest };
  }

  /**
   * The cursor from which the feed of a supplier shows what happens from now on; undefined if the service has no feed of
   * it, as services of earlier releases.
   */
  async feedPosition(supplier: string): Promise<string | undefined> {
    const query = { supplier, after: 'now' };
    const { data } = await this.portage.readEvents({ query, throwOnError: false });
    return typeof data?.next === 'string' ? data.next : undefined;
  }

  /** What happens to the accounts of a supplier, until `signal` is aborted. */
  events(supplier: string, after: string, signal: AbortSignal): AsyncGenerator<Event, void> {
    return this.portage.events(supplier, { after, signal, wait: FEED_WAIT_SECONDS });
  }

  /**
   * All errors of a refused account, because the schedule endpoint only reports the refusal. Empty if they cannot be
   * read; the account is refused all the same.
   */
  private async findErrors(text: string): Promise<readonly FieldError[]> {
    const result = await this.portage.validateAccount({ text, throwOnError: false }).catch(ignoreUnreachable);
    return result?.error?.errors ?? [];
  }
}

function ignoreUnreachable(error: unknown): undefined {
  if (!(error instanceof Unreachable)) throw error;
}
