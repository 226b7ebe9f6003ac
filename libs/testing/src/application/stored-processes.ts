import { createHash } from 'node:crypto';
import type { NewAccount } from '@portage/accounts';
import {
  AccountImportRepository,
  type ImportProcessStatus,
  type PendingProcess,
  PendingProcessRepository,
  type ProcessVersion,
} from '@portage/imports';
import { DataSource } from 'typeorm';
import { account } from '../account';
import { newAccountWith } from './new-account';
import type { TestApplication } from './test-application';

/** Builds SQL that changes or removes events, which only the owner of the table can allow. */
export function withoutEventProtection(sql: string): string {
  const trigger = 'TRIGGER import_process_event_kept';
  return `ALTER TABLE import_process_event DISABLE ${trigger}; ${sql};
    ALTER TABLE import_process_event ENABLE ALWAYS ${trigger}`;
}

/** Import processes of the test's supplier, inserted into the database and read from it. */
export class StoredProcesses {
  private next = 0;

  constructor(private readonly test: Pick<TestApplication, 'app' | 'supplier'>) {}

  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.test.app.get(DataSource).query<Row[]>(text, values);
  }

  async removeAll(): Promise<void> {
    // The service may fold counts of the same rows meanwhile: PostgreSQL then ends one of the two.
    const remove = async () =>
      this.sql(
        withoutEventProtection(
          'TRUNCATE import_count_change, import_count, import_process_event, import_process_payload, import_process CASCADE',
        ),
      );
    await remove().catch(async (error: unknown) => {
      if ((error as { code?: string }).code !== '40P01') throw error;
      await remove();
    });
  }

  scheduled(number = `T-${this.next++}`, more: Partial<PendingProcess> = {}): PendingProcess {
    const payload = more.payload ?? JSON.stringify(account(number));
    return {
      supplierId: this.test.supplier.id,
      externalAccountNumber: number,
      externalIdentifier: number,
      isDryRun: false,
      scheduleWindowStart: null,
      scheduleWindowEnd: null,
      staging: null,
      payloadHash: createHash('sha256').update(payload).digest(),
      payloadDigest: createHash('sha256').update(payload).digest(),
      payload,
      contextDigest: null,
      actor: 'api-key:test',
      ...more,
    };
  }

  /** Inserts a process and brings it to the status with the service's own statements, including its account. */
  async inState(status: ImportProcessStatus, more: Partial<PendingProcess> = {}): Promise<StoredProcess> {
    const isDryRun = status === 'DRY_RUN_SUCCEEDED' || status === 'DRY_RUN_ERRORED';
    const end = status === 'CANCELLED' ? new Date(Date.now() - 1_000).toISOString() : null;
    const scheduled = this.scheduled(more.externalAccountNumber, {
      isDryRun,
      scheduleWindowEnd: end,
      ...more,
    });
    const imports = this.test.app.get(AccountImportRepository);
    const [inserted] = (await this.test.app.get(PendingProcessRepository).write([scheduled])) ?? [];
    if (inserted?.kind !== 'written') throw new Error('The process exists already.');
    const { version } = inserted;
    const process = { ...version, number: scheduled.externalAccountNumber };
    if (status === 'CANCELLED') await imports.cancelMissed([version]);
    if (status === 'PENDING' || status === 'CANCELLED') return process;
    const [started] = await imports.start([version]);
    if (status === 'PROCESSED') await imports.create([{ started: started!, account: accountFor(version) }]);
    if (status === 'DRY_RUN_SUCCEEDED') await imports.succeedDryRuns([started!]);
    if (status === 'ERRORED' || status === 'DRY_RUN_ERRORED')
      await imports.fail([{ started: started!, endStatus: status, code: 'error', detail: 'Words.' }]);
    return process;
  }

  /** Reads the row of a process and its events. */
  async read({ processId }: ProcessVersion): Promise<{ row: StoredRow; events: string[] }> {
    const [row] = await this.sql<StoredRow>('SELECT * FROM import_process WHERE id = $1', [processId]);
    const events = await this.sql<{ event: string }>(
      'SELECT event FROM import_process_event WHERE process_id = $1 ORDER BY version, attempt, occurred_at',
      [processId],
    );
    return { row: row!, events: events.map(({ event }) => event) };
  }
}

export interface StoredProcess extends ProcessVersion {
  number: string;
}

export interface StoredRow {
  status: ImportProcessStatus;
  version: number;
  attempt: number;
  is_dry_run: boolean;
  is_released: boolean;
  staging: string | null;
  account_number: string | null;
  error_code: string | null;
  latest_event: string;
  schedule_window_start: string | null;
  schedule_window_end: string | null;
  enqueued_at: string;
  batch_id: string | null;
}

/** The smallest account that a process can create. */
export function accountFor({ processId }: ProcessVersion): NewAccount {
  return newAccountWith(`A-${Number(processId).toString(16).padStart(8, '0')}`);
}
