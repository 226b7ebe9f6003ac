import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Executor, type Statement, unnestArrays, whereNameIs } from '@portage/platform';
import type { ImportProcessStatus, StagingState } from './status';
import { LINE_MEASURES, type MeasureValues } from '../submission-lines/measures';
import { newBatchId } from './batch-id';
import { writeAccounts, writeLines } from './write-pending-processes';

/** An upload by the numbers of its submission and of itself. */
export interface UploadKey {
  submissionId: string;
  number: number;
}

/** An error of a line, or of the account that it became. */
export interface SubmissionLineError {
  code: string;
  detail: string;
  /** The path of the field; null if the error concerns the line as a whole. */
  attr: string | null;
}

/** An import process and its version. Jobs carry this and no personal data. */
export interface ProcessVersion {
  processId: string;
  version: number;
}

/** A process to write as PENDING: a new one, or a new version of an existing one. */
export interface PendingProcess {
  supplierId: number;
  externalAccountNumber: string;
  externalIdentifier: string;
  isDryRun: boolean;
  /** ISO 8601; null for a process that starts at once. */
  scheduleWindowStart: string | null;
  /** ISO 8601; null for a process that may start at any time. */
  scheduleWindowEnd: string | null;
  /** WAITING for a staged account (v1), which has no job until a request processes it. */
  staging: StagingState | null;
  /** Of the payload and its parameters. */
  payloadHash: Buffer;
  /** Of the payload alone; null for a staged account. */
  payloadDigest: Buffer | null;
  /** The account as it was sent; JSON text. */
  payload: string;
  /** Digest of the context in which the payload is valid; null if the worker is to validate it. */
  contextDigest: string | null;
  /** The API key that sent it, as the audit records it. */
  actor: string;
  /** The process to replace, as {@link PendingProcessRepository.findExisting} has read it; undefined for a new one. */
  replaces?: Pick<ExistingProcess, 'processId' | 'version' | 'status' | 'staging'> | undefined;
  /** The process of an erased account, which leaves its number to this one; undefined where the number is free. */
  reimports?: Pick<ExistingProcess, 'processId'> | undefined;
  /** What the line of the account in its submission says; undefined if no submission has the account. */
  line?: SubmissionLine | undefined;
}

/** The line of an account in its submission. */
export interface SubmissionLine {
  /** Number of the line in its upload, from 1; undefined for an account that is sent again by itself. */
  number: number | undefined;
  measures: MeasureValues;
}

/** A line of an upload that is refused. Its payload is not stored. */
export interface RefusedLine {
  line: number;
  externalAccountNumber: string | null;
  /** SHA-256 of the account number, or of the line if none can be read: sent again, it is counted once. */
  refusedKey: Buffer;
  errors: readonly SubmissionLineError[];
  /** Null if the payload could not be read. */
  payloadDigest: Buffer | null;
  measures: MeasureValues;
}

/** A line of an upload whose account the submission has with the same content. */
export interface RepeatedLine {
  line: number;
  externalAccountNumber: string;
  payloadDigest: Buffer | null;
  /** The process of the account. */
  processId: string;
}

/** A line of an upload whose account was imported before. Its submission counts it as one of its accounts. */
export interface ImportedLine {
  line: number;
  externalAccountNumber: string;
  payloadDigest: Buffer | null;
  measures: MeasureValues;
  /** The process of the account. */
  importedProcessId: string;
  /** `correction`: with other content, to which it is corrected. */
  outcome: 'unchanged' | 'correction';
}

/** What a batch of an upload writes beside its processes. */
export interface UploadWrites {
  upload: UploadKey;
  /** Each is counted. Of several with the same key the last one is stored. */
  refused: readonly RefusedLine[];
  /** Each is counted. The last one of an account is stored, unless a line about it is refused. */
  repeated: readonly RepeatedLine[];
  /** Each is counted. The last one of an account is stored, and a correction is not replaced by an unchanged line. */
  imported: readonly ImportedLine[];
}

/** The result of writing a process. */
export type WrittenProcess =
  /** `batchId`: the batch whose job imports it, with the others of the batch; null if it has a job of its own. */
  | { kind: 'written'; version: ProcessVersion; batchId: string | null }
  /** Not written: its account number or its identifier is taken, or the replaced process has changed. */
  | { kind: 'conflict' };

/** A stored process, as the account is sent again. */
export interface ExistingProcess extends ProcessVersion {
  status: ImportProcessStatus;
  staging: StagingState | null;
  payloadHash: Buffer;
  /** Null for a staged account, and for an erased payload. */
  payloadDigest: Buffer | null;
  accountNumber: string | null;
  isDryRun: boolean;
  /** Unix milliseconds. */
  windowStartMs: number | null;
  /** Unix milliseconds. */
  windowEndMs: number | null;
  /** False once the schedule window has ended. */
  isWindowOpen: boolean;
  /** The submission that has sent the account last; null if it was sent by itself. */
  submissionId: string | null;
  /** The pending correction of its account. */
  correction: {
    version: number;
    isDryRun: boolean;
    /** Base64; null once it was erased. */
    payloadDigest: string | null;
    submissionId: string | null;
  } | null;
}

/** What is stored under the names of an account. */
export interface ExistingNames {
  /** The process with its account number. */
  process: ExistingProcess | undefined;
  /** True if another account of the supplier has its external identifier. */
  isIdentifierTaken: boolean;
}

const NO_MEASURES = Object.fromEntries(LINE_MEASURES.map((measure) => [measure, 0]));

const findExisting: Statement = {
  name: 'find-existing-import-processes',
  text: `
    SELECT ordinal::integer AS item, id AS process_id, version, status, staging, payload_hash,
      payload_digest, account_number, is_dry_run,
      (extract(epoch FROM schedule_window_start) * 1000)::float8 AS window_start_ms,
      (extract(epoch FROM schedule_window_end) * 1000)::float8 AS window_end_ms,
      coalesce(schedule_window_end > now(), true) AS is_window_open, submission_id, (
        SELECT json_build_object('version', correction.version, 'isDryRun', correction.is_dry_run,
          'payloadDigest', encode(correction.payload_digest, 'base64'), 'submissionId', correction.submission_id::text)
        FROM import_process_correction correction WHERE process_id = process.id AND correction.status = 'PENDING'
      ) AS correction,
      coalesce((
        SELECT external_account_number FROM import_process
        ${whereNameIs('external_identifier', 'named.supplier_id', 'named.identifier')}
      ) <> named.number, false) AS is_identifier_taken
    FROM ${unnestArrays('$1::integer[], $2::text[], $3::text[]')} WITH ORDINALITY AS named (supplier_id, number, identifier, ordinal)
    LEFT JOIN LATERAL (
      SELECT * FROM import_process ${whereNameIs('external_account_number', 'named.supplier_id', 'named.number')}
    ) process ON true`,
};

/** Writes import processes as PENDING, for all who send accounts. The row is the truth; a job only refers to it. */
@Injectable()
export class PendingProcessRepository {
  constructor(private readonly database: Database) {}

  /**
   * Writes processes in one statement, with their payloads and events: new ones, and new versions of processes that have
   * not changed since they were read. No two may have the same account number. Those of one
   * supplier and one start are a batch, whose job the caller adds.
   *
   * @param uploadWrites the upload of the accounts: their lines, the refused lines and the counters are written as well
   * @returns a result for each, in their order; undefined, with nothing written, if the submission is not open
   * @throws the database's unique violation `import_process_identifier` if a replaced process takes the identifier of
   * another one
   */
  async write(
    processes: readonly PendingProcess[],
    uploadWrites?: UploadWrites,
    executor: Executor = this.database,
  ): Promise<WrittenProcess[] | undefined> {
    const ordered = processes.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
    const batchIds = batchIdsOf(ordered);
    const values = [
      ordered.map((row) => row.supplierId),
      ordered.map((row) => row.externalAccountNumber),
      ordered.map((row) => row.externalIdentifier),
      ordered.map((row) => row.isDryRun),
      ordered.map((row) => row.scheduleWindowStart),
      ordered.map((row) => row.scheduleWindowEnd),
      ordered.map((row) => row.staging),
      ordered.map((row) => row.payloadHash),
      ordered.map((row) => row.payloadDigest),
      `[${ordered.map((row) => row.payload).join(',')}]`,
      ordered.map((row) => row.contextDigest),
      ordered.map((row) => row.actor),
      batchIds,
      ordered.map((row) => row.replaces?.processId ?? null),
      ordered.map((row) => row.replaces?.version ?? null),
      ordered.map((row) => row.replaces?.status ?? null),
      uploadWrites?.upload.submissionId ?? null,
    ];
    const hasLines = uploadWrites !== undefined || ordered.some(({ line }) => line !== undefined);
    const rows = hasLines
      ? await executor.run<WrittenRow>(writeLines, [...values, ...lineValues(ordered, uploadWrites)])
      : await executor.run<WrittenRow>(writeAccounts, values);
    if (uploadWrites && !rows.some(({ item }) => item === 0)) return undefined;
    const results = ordered.map((): WrittenProcess => ({ kind: 'conflict' }));
    for (const { item, processId, version } of rows)
      if (item > 0) {
        const batchId = batchIds[item - 1] ?? null;
        results[item - 1] = { kind: 'written', version: { processId, version }, batchId };
      }
    const resultOf = new Map(ordered.map((process, index) => [process, results[index]]));
    return processes.map((process) => resultOf.get(process) as WrittenProcess);
  }

  /** Finds what is stored under the names of accounts, in their order. */
  async findExisting(
    accounts: readonly Pick<PendingProcess, 'supplierId' | 'externalAccountNumber' | 'externalIdentifier'>[],
    executor: Executor = this.database,
  ): Promise<ExistingNames[]> {
    const rows = await executor.run<ExistingProcess & { item: number; isIdentifierTaken: boolean }>(
      findExisting,
      [
        accounts.map(({ supplierId }) => supplierId),
        accounts.map(({ externalAccountNumber }) => externalAccountNumber),
        accounts.map(({ externalIdentifier }) => externalIdentifier),
      ],
    );
    const names: ExistingNames[] = accounts.map(() => ({ process: undefined, isIdentifierTaken: false }));
    for (const { item, isIdentifierTaken, ...process } of rows)
      names[item - 1] = {
        process: (process.processId as string | null) === null ? undefined : process,
        isIdentifierTaken,
      };
    return names;
  }
}

interface WrittenRow extends ProcessVersion {
  /** Number of the process in the statement, from 1; 0 for the row that shows that the submission is open. */
  item: number;
}

function nameOf({ supplierId, externalAccountNumber }: PendingProcess): string {
  return `${supplierId} ${externalAccountNumber}`;
}

/** The batch of each process: one for several of one supplier that start at the same time. */
function batchIdsOf(processes: readonly PendingProcess[]): (string | null)[] {
  const keys = processes.map(({ supplierId, scheduleWindowStart, staging }) =>
    staging === null ? `${supplierId} ${scheduleWindowStart}` : undefined,
  );
  const batches = new Map<string, { id: string; size: number }>();
  for (const key of keys) {
    if (key === undefined) continue;
    const batch = batches.get(key);
    if (batch) batch.size += 1;
    else batches.set(key, { id: newBatchId(), size: 1 });
  }
  return keys.map((key) => {
    const batch = key === undefined ? undefined : batches.get(key);
    return batch !== undefined && batch.size > 1 ? batch.id : null;
  });
}

function lineValues(processes: readonly PendingProcess[], uploadWrites: UploadWrites | undefined): unknown[] {
  const lines = processes.flatMap(({ line }, index) =>
    line ? [{ ordinal: index + 1, line: line.number, ...line.measures }] : [],
  );
  const { refused = [], repeated = [], imported = [] } = uploadWrites ?? {};
  const others = new Map([
    ...repeated.map(toRepeatedRow),
    ...refused.map(toRefusedRow),
    ...imported.map(toImportedRow),
  ]);
  const corrections = imported.filter(({ outcome }) => outcome === 'correction').length;
  return [
    uploadWrites?.upload.number ?? null,
    JSON.stringify(lines),
    JSON.stringify([...others.values()]),
    refused.length,
    repeated.length,
    imported.length - corrections,
    corrections,
  ];
}

/** A row with the key by which it is stored once. */
type KeyedRow = [key: string, row: object];

function toRefusedRow(refused: RefusedLine): KeyedRow {
  const { line, externalAccountNumber, refusedKey, errors, payloadDigest, measures } = refused;
  const key = refusedKey.toString('hex');
  const row = {
    line,
    external_account_number: externalAccountNumber,
    refused_key: key,
    outcome: 'refused',
    errors,
    payload_digest: payloadDigest?.toString('hex'),
    ...measures,
  };
  return [key, row];
}

function toRepeatedRow({ line, externalAccountNumber, payloadDigest, processId }: RepeatedLine): KeyedRow {
  const key = keyOfAccount(externalAccountNumber).toString('hex');
  const row = {
    line,
    external_account_number: externalAccountNumber,
    refused_key: key,
    outcome: 'repeated',
    payload_digest: payloadDigest?.toString('hex'),
    repeated_process_id: processId,
    ...NO_MEASURES,
  };
  return [key, row];
}

function toImportedRow(imported: ImportedLine): KeyedRow {
  const { line, externalAccountNumber, payloadDigest, measures, importedProcessId, outcome } = imported;
  const key = keyOfImported(externalAccountNumber).toString('hex');
  const row = {
    line,
    external_account_number: externalAccountNumber,
    refused_key: key,
    outcome,
    payload_digest: payloadDigest?.toString('hex'),
    imported_process_id: importedProcessId,
    ...measures,
  };
  return [key, row];
}

/** The key of the line that counts for an account that was imported before. Further lines about it have another one. */
export function keyOfImported(externalAccountNumber: string): Buffer {
  return createHash('sha256').update(`imported ${externalAccountNumber}`).digest();
}

/** The key of the line without a process that an account can have in each submission. */
export function keyOfAccount(externalAccountNumber: string): Buffer {
  return createHash('sha256').update(externalAccountNumber).digest();
}
