import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import {
  type RefusedLine,
  type StoredSubmission,
  SubmissionUploadRepository,
  type UploadCounts,
  type UploadKey,
} from '@portage/database';
import { PortageError } from '@portage/domain';
import type { Caller } from '../access/authenticate';
import { hashPayload } from '../account/account-body';
import { AccountValidation } from '../account/account-validation';
import { nextTurn } from '../large-bodies/cpu-turns';
import { isLarge } from '../large-bodies/is-large';
import { MAX_JSON_VALUES, type JsonLimits } from '../large-bodies/json-scanner';
import { Throttled } from '../rate-limits/throttled';
import { ImportSupplierDirectory } from '../suppliers/import-supplier-directory';
import { migrationClosedMessage } from '../suppliers/migration-closed-message';
import { supplierCodeOf } from '../suppliers/supplier-code';
import { MAX_NESTING } from '../validation/max-nesting';
import { IgnoredFieldCounts } from './ignored-field-counts';
import { LineReader, type ReadLine } from './line-reader';
import { measureAccount } from '../measures/measures';
import { isCompressed, readLine, refuseLine, startOf } from './read-line';
import { StoreLines, type UploadBatch, type ValidLine } from './store-lines';
import { submissionNotOpen } from './submission-not-open';
import { SubmissionProgress } from './submission-progress';
import { Submissions } from './submissions';
import type { UploadResult } from './submissions.dto';

/** The bytes of an upload, as they arrive. */
export interface UploadBody {
  /**
   * Waits for the next bytes, up to `idleMs`.
   *
   * @returns undefined at the end; `idle` if nothing has arrived in that time
   * @throws PortageError if the body cannot be read, or its sender has stalled; another error if the connection is lost
   */
  read(idleMs: number): Promise<Buffer | 'idle' | undefined>;
}

/** Lines and bytes that one statement stores. */
const MAX_BATCH_LINES = 64;
const MAX_BATCH_BYTES = 4 << 20;

/** Batches of one upload that are being stored. The upload is not read further meanwhile. */
const MAX_BATCHES_IN_FLIGHT = 2;

/** Uploads of one submission at the same time, over all processes. */
const MAX_UPLOADS_OF_SUBMISSION = 8;

/** An upload that was not renewed for this long is over: its process has died. */
const UPLOAD_LIFETIME_SECONDS = 60;

/** How often an upload is renewed that stores nothing, because its sender is slow. */
const RENEWAL_MS = 20_000;

/** Lines that have arrived are stored after this time without more. */
const IDLE_MS = 500;

/**
 * Time after which an upload lets other work of the process run. A small request takes several turns of the event loop,
 * and waits for a slice in each of them.
 */
const MAX_SLICE_MS = 1;

/** Bytes of a line that is parsed beside others. A longer one takes milliseconds. */
const MAX_BYTES_AT_ONCE = 200_000;

/** When a sender with too many uploads should try again. */
const RETRY_AFTER_MS = 2_000;

const LINE_LIMITS: JsonLimits = { values: MAX_JSON_VALUES, nesting: 2 * MAX_NESTING };

/** Receives the accounts of a submission: one a line, in an upload of any length. */
@Injectable()
export class ReceiveAccounts {
  constructor(
    private readonly submissions: Submissions,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly uploads: SubmissionUploadRepository,
    private readonly validation: AccountValidation,
    private readonly lines: StoreLines,
    private readonly progress: SubmissionProgress,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reads an upload to its end. Lines are validated and stored in batches while it arrives, with memory for a few
   * batches. What was read before an error stays stored, and the whole file can be sent again.
   *
   * @throws PortageError `not_found`, `submission_not_open`, `import_supplier_migration_not_ongoing`, `throttled`,
   * `parse_error` for a body that has no lines, `upload_stalled`; errors of the body
   */
  async receive(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    id: string,
    body: UploadBody,
  ): Promise<UploadResult> {
    const submission = await this.submissions.require(organisationId, id);
    if (submission.status !== 'OPEN') throw submissionNotOpen(submission);
    await this.requireOngoing(submission);
    const upload = await this.uploads.start(id, actor, {
      maxConcurrent: MAX_UPLOADS_OF_SUBMISSION,
      lifetimeSeconds: UPLOAD_LIFETIME_SECONDS,
    });
    if (!upload)
      throw new Throttled(
        `Submission ${id} has ${MAX_UPLOADS_OF_SUBMISSION} uploads in progress.`,
        RETRY_AFTER_MS,
      );
    let counts: UploadCounts | undefined;
    const ignored = new IgnoredFieldCounts();
    try {
      const run = new UploadRun(submission, upload, actor, {
        ...{ uploads: this.uploads, lines: this.lines, maxLineBytes: this.config.MAX_BODY_BYTES },
        check: async (payload, line) => this.check(submission, payload, line, ignored),
        requireOngoing: async () => this.requireOngoing(submission),
      });
      await run.receive(body);
    } catch (error) {
      // The batch statement does not say how the submission was closed.
      if (error instanceof PortageError && error.code === 'submission_not_open')
        throw submissionNotOpen(await this.submissions.require(organisationId, id));
      throw error;
    } finally {
      counts = await this.uploads.end(upload);
      this.progress.forget(submission);
    }
    return { ...counts, ignored_fields: ignored.byPath() };
  }

  /** Validates the account of a line. */
  private async check(
    submission: StoredSubmission,
    payload: Record<string, unknown>,
    line: number,
    ignored: IgnoredFieldCounts,
  ): Promise<ValidLine | RefusedLine> {
    const { organisationId, supplier, isDryRun, scheduleWindowStart, scheduleWindowEnd } = submission;
    const checked = await this.validation.checkPayload(organisationId, { payload, undocumented: [] });
    ignored.add(checked.ignoredFields);
    if (isLarge(payload)) await nextTurn();
    const payloadText = JSON.stringify(payload);
    const hashes = hashPayload(payloadText, {
      is_dry_run: isDryRun,
      schedule_window_start: scheduleWindowStart,
      schedule_window_end: scheduleWindowEnd,
    });
    if (!checked.ok) return refuseLine(line, payload, hashes.payloadDigest, checked.errors);
    if (checked.supplier.id !== submission.supplierId)
      return refuseLine(line, payload, hashes.payloadDigest, [
        {
          code: 'invalid_choice',
          detail: `Submission ${submission.id} has the accounts of ${supplier}, not of ${String(supplierCodeOf(payload))}.`,
          attr: 'import_supplier',
        },
      ]);
    const { account, databaseRules: rules, contextDigest } = checked;
    return {
      account: {
        ...{ line, ...hashes, payload: payloadText, contextDigest, measures: measureAccount(account) },
        externalAccountNumber: account.external_account_number,
        externalIdentifier: account.external_identifier ?? account.external_account_number,
        preconditions: rules.lookups,
      },
      rules,
      payload,
    };
  }

  private async requireOngoing({ organisationId, supplier: code }: StoredSubmission): Promise<void> {
    const supplier = await this.suppliers.find(organisationId, code);
    if (supplier && supplier.status !== 'Ongoing')
      throw new PortageError(
        'import_supplier_migration_not_ongoing',
        migrationClosedMessage(supplier.status),
      );
  }
}

/** What a run needs of its use case. */
interface UploadPorts {
  uploads: SubmissionUploadRepository;
  lines: StoreLines;
  maxLineBytes: number;
  check: (payload: Record<string, unknown>, line: number) => Promise<ValidLine | RefusedLine>;
  requireOngoing: () => Promise<void>;
}

/** One upload while it is received. */
class UploadRun {
  private readonly reader: LineReader;
  private batch: UploadBatch = { valid: [], refused: [] };
  private batchBytes = 0;
  /** The accounts and external identifiers of the batch that is filled, and of those in flight. */
  private keys = new Set<string>();
  private readonly inFlight = new Map<Promise<void>, ReadonlySet<string>>();
  /** The first error of a batch in flight. */
  private failure: Error | undefined;
  private sliceEnd = 0;
  private isFirst = true;
  private renewedAt = performance.now();

  constructor(
    private readonly submission: StoredSubmission,
    private readonly upload: UploadKey,
    private readonly actor: string,
    private readonly ports: UploadPorts,
  ) {
    this.reader = new LineReader(ports.maxLineBytes);
  }

  async receive(body: UploadBody): Promise<void> {
    try {
      for (let chunk = await body.read(IDLE_MS); chunk !== undefined; chunk = await body.read(IDLE_MS)) {
        if (chunk === 'idle') await this.handleIdle();
        else {
          this.requireLines(chunk);
          for (const line of this.reader.push(chunk)) await this.add(line);
        }
        this.throwFailure();
      }
      // The line after the last line break is complete only if the body is.
      const last = this.reader.end();
      if (last) await this.add(last);
      await this.dispatch();
    } catch (error) {
      // What was read completely is stored, whatever has ended the upload.
      if (this.failure === undefined)
        await this.dispatch().catch((failure: unknown) => {
          this.fail(failure);
        });
      throw error;
    } finally {
      await Promise.all(this.inFlight.keys());
    }
    this.throwFailure();
  }

  /** @throws PortageError `parse_error` if the upload does not begin with a line */
  private requireLines(chunk: Buffer): void {
    if (!this.isFirst) return;
    const start = startOf(chunk);
    if (start === '') return;
    this.isFirst = false;
    if (isCompressed(chunk))
      throw new PortageError(
        'parse_error',
        'The body is compressed with gzip. Send it with Content-Encoding: gzip, or uncompressed.',
      );
    if (start === '[')
      throw new PortageError(
        'parse_error',
        'The body is a JSON array. Send one account a line: JSON objects, each followed by a line break.',
      );
  }

  private async add(line: ReadLine): Promise<void> {
    if (performance.now() >= this.sliceEnd) {
      await nextTurn();
      this.sliceEnd = performance.now() + MAX_SLICE_MS;
    }
    const { maxLineBytes } = this.ports;
    const isLong = (line.bytes?.length ?? 0) > MAX_BYTES_AT_ONCE;
    // Parsing cannot be divided.
    if (isLong) await nextTurn();
    const read = readLine(line, maxLineBytes, LINE_LIMITS);
    const checked = 'payload' in read ? await this.ports.check(read.payload, read.line) : read;
    if (isLong) this.sliceEnd = 0;
    const keys = keysOf(checked);
    // Lines about the same account are stored one after the other.
    if (keys.some((key) => this.keys.has(key))) await this.dispatch();
    if (this.batch.valid.length + this.batch.refused.length === 0) await this.waitFor(keys);
    else if (this.isInFlight(keys)) {
      await this.dispatch();
      await this.waitFor(keys);
    }
    for (const key of keys) this.keys.add(key);
    if ('rules' in checked) {
      this.batch.valid.push(checked);
      this.batchBytes += checked.account.payload.length;
    } else this.batch.refused.push(checked);
    const { valid, refused } = this.batch;
    if (valid.length + refused.length >= MAX_BATCH_LINES || this.batchBytes >= MAX_BATCH_BYTES)
      await this.dispatch();
  }

  /** Stores the batch. Returns once another one may be filled. */
  private async dispatch(): Promise<void> {
    const { batch, keys } = this;
    if (batch.valid.length + batch.refused.length === 0) return;
    this.batch = { valid: [], refused: [] };
    this.batchBytes = 0;
    this.keys = new Set();
    await this.ports.requireOngoing();
    this.throwFailure();
    const storing: Promise<void> = this.ports.lines
      .store(this.submission, this.upload, this.actor, batch)
      .catch((error: unknown) => {
        this.fail(error);
      })
      .finally(() => {
        this.inFlight.delete(storing);
      });
    this.inFlight.set(storing, keys);
    this.renewedAt = performance.now();
    while (this.inFlight.size >= MAX_BATCHES_IN_FLIGHT) await Promise.race(this.inFlight.keys());
    this.sliceEnd = 0;
  }

  private isInFlight(keys: readonly string[]): boolean {
    return [...this.inFlight.values()].some((stored) => keys.some((key) => stored.has(key)));
  }

  private async waitFor(keys: readonly string[]): Promise<void> {
    while (this.isInFlight(keys)) await Promise.race(this.inFlight.keys());
  }

  private async handleIdle(): Promise<void> {
    await this.dispatch();
    if (performance.now() - this.renewedAt < RENEWAL_MS) return;
    this.renewedAt = performance.now();
    if (!(await this.ports.uploads.renew(this.upload)))
      throw submissionNotOpen({ ...this.submission, status: 'RECEIVED' });
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
  }

  private throwFailure(): void {
    if (this.failure !== undefined) throw this.failure;
  }
}

/** What two lines of a batch must not have in common. */
function keysOf(line: ValidLine | RefusedLine): string[] {
  if (!('rules' in line)) {
    const { externalAccountNumber, refusedKey } = line;
    return [
      externalAccountNumber === null
        ? `line ${refusedKey.toString('hex')}`
        : `account ${externalAccountNumber}`,
    ];
  }
  const { externalAccountNumber, externalIdentifier } = line.account;
  return [`account ${externalAccountNumber}`, `identifier ${externalIdentifier}`];
}
