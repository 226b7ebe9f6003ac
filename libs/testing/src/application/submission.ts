import { createHash } from 'node:crypto';
import {
  ImportAccounts,
  type ImportProcessStatus,
  LINE_MEASURES,
  type MeasureValues,
  type SubmissionLineError,
} from '@portage/imports';
import { DataSource } from 'typeorm';
import { scheduleAccount } from './schedule-account';
import type { TestApplication } from './test-application';

type Json = Record<string, unknown>;

/** A submission that is written by SQL, line by line, and whose accounts are imported in the test's process. */
export class TestSubmission {
  private line = 0;

  private constructor(
    private readonly test: TestApplication,
    readonly id: string,
    readonly reference: string,
  ) {}

  static async open(
    test: TestApplication,
    reference: string,
    expected: Partial<MeasureValues> = {},
  ): Promise<TestSubmission> {
    const [row] = await test.app.get(DataSource).query<{ id: string }[]>(
      `WITH opened AS (
         INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor)
         VALUES ($1, $2, '', $3, false, 'api-key:test') RETURNING id
       )
       SELECT id FROM opened`,
      [test.supplier.id, reference, JSON.stringify(expected)],
    );
    const submission = new TestSubmission(test, row!.id, reference);
    await submission.upload(1);
    return submission;
  }

  /** Adds an upload. Lines belong to the latest one. */
  async upload(number: number): Promise<void> {
    await this.sql(
      `INSERT INTO submission_upload (submission_id, number, actor) VALUES ($1, $2, 'api-key:test')`,
      [this.id, number],
    );
  }

  /** Receives an account, and imports it unless told otherwise. */
  async account(
    number: string,
    body: Json = {},
    measures: Partial<MeasureValues> = {},
    { isImported = true, key }: { isImported?: boolean; key?: string } = {},
  ): Promise<string> {
    const account = { ...body, import_supplier: this.test.supplier.code, external_account_number: number };
    await scheduleAccount(this.test, this.test.caller, account, key);
    const [process] = await this.sql<{ id: string; version: number }>(
      `UPDATE import_process SET submission_id = $1 WHERE external_account_number = $2 RETURNING id, version`,
      [this.id, number],
    ).then(([rows]) => rows as unknown as { id: string; version: number }[]);
    await this.insertLine({ processId: process!.id, measures });
    if (isImported)
      await this.test.app.get(ImportAccounts).import([{ processId: process!.id, version: process!.version }]);
    return process!.id;
  }

  /** Receives an account whose process is brought to a status without an account by SQL. */
  async ended(
    number: string,
    status: Exclude<ImportProcessStatus, 'PROCESSED'>,
    measures: Partial<MeasureValues> = {},
  ): Promise<string> {
    const id = await this.account(number, {}, measures, { isImported: false });
    const isErrored = status === 'ERRORED' || status === 'DRY_RUN_ERRORED';
    await this.sql(
      'UPDATE import_process SET status = $2, error_code = $3, error_detail = $4 WHERE id = $1',
      [id, status, isErrored ? 'error' : null, isErrored ? 'Words.' : null],
    );
    return id;
  }

  /** Refuses a line. */
  async refused(
    number: string | null,
    errors: SubmissionLineError[],
    measures: Partial<MeasureValues> = {},
  ): Promise<void> {
    await this.insertLine({ number, errors, measures });
  }

  /** Ends the submission: nothing more is received. */
  async complete(): Promise<void> {
    await this.sql(`UPDATE submission SET status = 'RECEIVED', completed_at = now() WHERE id = $1`, [
      this.id,
    ]);
  }

  async sql<Row = unknown>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.test.app.get(DataSource).query<Row[]>(text, values);
  }

  private async insertLine(line: {
    processId?: string;
    number?: string | null;
    errors?: SubmissionLineError[];
    measures: Partial<MeasureValues>;
  }): Promise<void> {
    this.line += 1;
    const isRefused = line.processId === undefined;
    await this.sql(
      `INSERT INTO submission_line (submission_id, upload_number, line, process_id, external_account_number, refused_key,
         outcome, errors, ${LINE_MEASURES.join(', ')})
       SELECT $1, max(number), $2::integer, $3::bigint, $4, $5::bytea, $6, $7::json,
         ${LINE_MEASURES.map((_, index) => `$${index + 8}::numeric`).join(', ')}
       FROM submission_upload WHERE submission_id = $1`,
      [
        this.id,
        this.line,
        line.processId ?? null,
        line.number ?? null,
        isRefused ? createHash('sha256').update(String(this.line)).digest() : null,
        isRefused ? 'refused' : null,
        line.errors ? JSON.stringify(line.errors) : null,
        // A line that holds one account and nothing else, unless told otherwise.
        ...LINE_MEASURES.map((measure) => line.measures[measure] ?? 0),
      ],
    );
  }
}
