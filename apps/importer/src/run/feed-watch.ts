import { type Event, type FieldError, parseFieldError, PortageError, Unreachable } from '@portage/client';
import type { DataImportApi } from '../api/data-import-api';

/** The end of an import process, as a status or an event says it. */
export interface ProcessEnd {
  supplier: string;
  externalAccountNumber: string;
  status: string;
  error: FieldError | undefined;
}

/** The statuses that the types of events stand for. */
const STATUS_OF: Partial<Record<Event['type'], string>> = {
  'data_import.import_process.complete-v1': 'PROCESSED',
  'data_import.import_process.error-v1': 'ERRORED',
  'data_import.import_process.dry_run_complete-v1': 'DRY_RUN_SUCCEEDED',
  'data_import.import_process.dry_run_error-v1': 'DRY_RUN_ERRORED',
  'data_import.import_process.cancelled-v1': 'CANCELLED',
};

/** Follows the feeds of the suppliers of a book from before their first account is sent. */
export class FeedWatch {
  private readonly positions = new Map<string, Promise<string | undefined>>();
  /** The suppliers whose feed is being followed. */
  private readonly followed = new Set<string>();
  private readonly ended = new AbortController();
  private readonly following: Promise<void>[] = [];
  private failure: unknown;

  constructor(
    private readonly api: Pick<DataImportApi, 'feedPosition' | 'events'>,
    private readonly onEnd: (end: ProcessEnd) => Promise<void>,
  ) {}

  /**
   * Begins to follow the feed of a supplier, unless that has begun. Call it before an account of the supplier is sent:
   * its event is then seen.
   */
  async begin(supplier: string): Promise<void> {
    const known = this.positions.get(supplier);
    const position = known ?? this.find(supplier);
    this.positions.set(supplier, position);
    const after = await position;
    if (known || after === undefined || this.ended.signal.aborted) return;
    this.followed.add(supplier);
    this.following.push(this.follow(supplier, after));
  }

  /** True if the ends of a supplier's accounts are seen, so that they need not be asked for. */
  isFollowing(supplier: string): boolean {
    return this.followed.has(supplier);
  }

  /** Ends following. @throws the error that the service no longer accepts the credentials with */
  async end(): Promise<void> {
    this.ended.abort();
    await Promise.all(this.following);
    if (this.failure !== undefined) throw this.failure as Error;
  }

  private async find(supplier: string): Promise<string | undefined> {
    try {
      return await this.api.feedPosition(supplier);
    } catch (error) {
      if (error instanceof Unreachable) return undefined;
      throw error;
    }
  }

  /** Without the feed, accounts are asked for one by one. */
  private async follow(supplier: string, after: string): Promise<void> {
    try {
      for await (const event of this.api.events(supplier, after, this.ended.signal)) {
        const end = endOf(event);
        if (end) await this.onEnd(end);
      }
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof PortageError)) this.failure = error;
    } finally {
      this.followed.delete(supplier);
    }
  }
}

function endOf({ type, data }: Event): ProcessEnd | undefined {
  const status = STATUS_OF[type];
  if (status === undefined || !('external_account_number' in data)) return undefined;
  const { import_supplier: supplier, external_account_number: externalAccountNumber, error } = data;
  return { supplier, externalAccountNumber, status, error: parseFieldError(error) };
}
