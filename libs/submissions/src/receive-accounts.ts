import { Inject, Injectable } from '@nestjs/common';
import {
  AcceptAccounts,
  type AcceptedAccount,
  type AccountRefusal,
  type AccountToAccept,
  AccountValidation,
  type ExistingProcess,
  hashPayload,
  type ImportedLine,
  ImportProcessReadingRepository,
  type Decision,
  measurePayload,
  type PendingProcess,
  type RefusedLine,
  type RepeatedLine,
} from '@portage/imports';
import { CONFIG, type Config, isLarge, nextTurn, PortageError, Quotas, TimeSlice } from '@portage/platform';
import {
  type Caller,
  ImportSupplierDirectory,
  type ImportSupplierEntity,
  requireOngoing,
  supplierCodeOf,
} from '@portage/tenants';
import type { StoredSubmission } from './submission.repository';
import { ReceiveUpload, type Upload } from './receive-upload';
import { decideLine, errorsOfLine } from './line-refusal';
import { accountNumberOf, type PayloadLine, refuseLine } from './read-line';
import type { UploadResult } from './submissions.dto';
import { type UploadBody, UploadRun } from './upload-run';

/** An account that a line has, with what a refusal of it needs. */
interface LineAccount extends AccountToAccept {
  line: PayloadLine;
  payloadDigest: Buffer;
}

/** Lines that are validated and accepted together. */
const BATCH_LINES = 64;

/** Receives the accounts of a submission: one a line, in an upload of any length. */
@Injectable()
export class ReceiveAccounts {
  constructor(
    private readonly uploads: ReceiveUpload,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly validation: AccountValidation,
    private readonly accounts: AcceptAccounts,
    private readonly processes: ImportProcessReadingRepository,
    private readonly quotas: Quotas,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Reads an upload to its end. Lines are accepted in batches while it arrives, with memory for a few batches. What was
   * read before an error stays stored, and the whole file can be sent again.
   *
   * @throws as {@link ReceiveUpload.receive}
   */
  async receive(
    caller: Pick<Caller, 'organisationId' | 'actor'>,
    id: string,
    body: UploadBody,
  ): Promise<UploadResult> {
    return this.uploads.receive(caller, id, 'accounts', async (upload) => {
      const run = new UploadRun<LineItem>({
        subject: 'account',
        maxLineBytes: this.config.MAX_BODY_BYTES,
        batchLines: BATCH_LINES,
        check: async (lines) => this.checkAll(upload, lines),
        isUnchanged: (item) => 'importedProcessId' in item,
        accept: async (lines) => this.accept(upload, lines),
        storesAlone: false,
        renew: async () => this.uploads.renew(upload),
      });
      await run.receive(body);
    });
  }

  /** Validates the accounts of a batch of lines. */
  private async checkAll(upload: Upload, lines: readonly (PayloadLine | RefusedLine)[]): Promise<LineItem[]> {
    const supplier = await this.requireOngoing(upload.submission);
    const imported = await this.findImported(upload.submission, lines);
    const slice = new TimeSlice();
    const items: LineItem[] = [];
    for (const line of lines) {
      await slice.pause();
      if ('payload' in line) items.push(await this.check(upload, supplier, line, imported));
      else items.push(line);
    }
    return items;
  }

  /**
   * Accepts a batch of lines. When it returns, each is stored as accepted, repeated or refused.
   *
   * @throws the first error of a line that could not be stored, after the others were; PortageError `quota_reached`
   */
  private async accept(upload: Upload, items: readonly LineItem[]): Promise<void> {
    const { supplierId } = upload.submission;
    const refusedCount = items.filter((item) => 'errors' in item).length;
    await this.quotas.take('refused_lines', { supplierId }, refusedCount);
    const results = await this.accounts.accept(items, {
      key: upload.key,
      refuse: (account, refusal) => refuse(account as LineAccount, refusal),
      repeat: (account, existing) => repeat(account as LineAccount, existing),
      imported: (account, { processId }, outcome) => {
        const { line, process, payloadDigest } = account as LineAccount;
        return buildImported(line, process.externalAccountNumber, payloadDigest, processId, outcome);
      },
    });
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    // Stored accounts have made more lines refused. The upload ends if they exceed the limit.
    const refusedByStored = results.filter(isRefused).length - refusedCount;
    await this.quotas.take('refused_lines', { supplierId }, refusedByStored);
  }

  /** The imported accounts of lines, by number; none for a mode in which few exist. */
  private async findImported(
    { supplierId, mode }: StoredSubmission,
    lines: readonly (PayloadLine | RefusedLine)[],
  ): Promise<ImportedDigests> {
    if (mode === 'create') return new Map();
    const numbers = lines.flatMap((line) => ('payload' in line ? (accountNumberOf(line.payload) ?? []) : []));
    return this.processes.importedDigests(supplierId, numbers);
  }

  /** Validates the account of a line, unless it was imported with the same content. */
  private async check(
    { submission, actor, ignored }: Upload,
    supplier: ImportSupplierEntity | undefined,
    line: PayloadLine,
    imported: ImportedDigests,
  ): Promise<LineItem> {
    const { id, organisationId, isDryRun, mode, scheduleWindowStart, scheduleWindowEnd } = submission;
    const { payload } = line;
    const code = supplierCodeOf(payload);
    const isOther = code !== undefined && code !== submission.supplier;
    const number = accountNumberOf(payload);
    const earlier = number === undefined ? undefined : imported.get(number);
    if (earlier && number !== undefined && !isOther && code !== undefined && earlier.submissionId !== id) {
      const { payloadDigest } = hashPayload(JSON.stringify(payload), {});
      if (payloadDigest.equals(earlier.payloadDigest))
        return buildImported(line, number, payloadDigest, earlier.processId, 'unchanged');
    }
    const named = isOther ? await this.suppliers.find(organisationId, code) : code && supplier;
    const checked = await this.validation.checkPayload(named || undefined, payload);
    ignored.add(checked.ignoredFields);
    if (isLarge(payload)) await nextTurn();
    const payloadText = JSON.stringify(payload);
    const hashes = hashPayload(payloadText, {
      is_dry_run: isDryRun,
      schedule_window_start: scheduleWindowStart,
      schedule_window_end: scheduleWindowEnd,
    });
    const { payloadDigest } = hashes;
    if (!checked.ok) return refuse({ line, payloadDigest }, { kind: 'invalid', errors: checked.errors });
    if (isOther) {
      const detail = `Submission ${id} has the accounts of ${submission.supplier}, not of ${code}.`;
      const errors = [{ code: 'invalid_choice', detail, attr: 'import_supplier' }];
      return refuse({ line, payloadDigest }, { kind: 'invalid', errors });
    }
    const { account, databaseRules: rules, contextDigest } = checked;
    return {
      line,
      payloadDigest,
      rules,
      process: {
        ...hashes,
        supplierId: submission.supplierId,
        externalAccountNumber: account.external_account_number,
        externalIdentifier: account.external_identifier ?? account.external_account_number,
        isDryRun,
        scheduleWindowStart,
        scheduleWindowEnd,
        staging: null,
        payload: payloadText,
        contextDigest,
        actor,
        line: { number: line.line, measures: measurePayload(account) },
      },
      job: { organisationId, supplier: submission.supplier, submissionId: id },
      isLookedUp: mode !== 'create',
      ...(mode === 'correct' && { ifMissing: { kind: 'request', error: buildNotImported() } }),
      decide: (existing, process) => decideCorrectable(supplier, existing, process, submission),
    };
  }

  private async requireOngoing({
    organisationId,
    supplier: code,
  }: StoredSubmission): Promise<ImportSupplierEntity | undefined> {
    const supplier = await this.suppliers.find(organisationId, code);
    requireOngoing(supplier);
    return supplier;
  }
}

/** What a line was found to be. */
type LineItem = LineAccount | RefusedLine | ImportedLine;

/** Imported accounts by number. */
type ImportedDigests = Awaited<ReturnType<ImportProcessReadingRepository['importedDigests']>>;

/** As {@link decideLine}, where the operator may not allow corrections. */
function decideCorrectable(
  supplier: ImportSupplierEntity | undefined,
  existing: ExistingProcess,
  process: PendingProcess,
  submission: StoredSubmission,
): Decision {
  const decision = decideLine(existing, process, submission, {
    reimportAfterErasure: supplier?.reimportAfterErasure ?? false,
  });
  if (decision.kind !== 'correct' || supplier?.corrections) return decision;
  const error = new PortageError(
    'corrections_not_allowed',
    'The operator does not allow corrections of this supplier.',
  );
  return { kind: 'refused', refusal: { kind: 'request', error } };
}

function buildNotImported(): PortageError {
  return new PortageError(
    'account_not_imported',
    'No account of this number is imported, and the submission has the mode correct. Send it in a submission with the mode create-or-correct.',
  );
}

function buildImported(
  { line, payload }: PayloadLine,
  externalAccountNumber: string,
  payloadDigest: Buffer,
  importedProcessId: string,
  outcome: ImportedLine['outcome'],
): ImportedLine {
  const measures = measurePayload(payload);
  return { line, externalAccountNumber, payloadDigest, measures, importedProcessId, outcome };
}

function isRefused(result: PromiseSettledResult<AcceptedAccount>): boolean {
  return result.status === 'fulfilled' && result.value.kind === 'refused';
}

function refuse(
  { line, payloadDigest }: Pick<LineAccount, 'line' | 'payloadDigest'>,
  refusal: AccountRefusal,
): RefusedLine {
  return refuseLine(line.line, line.payload, payloadDigest, errorsOfLine(refusal));
}

function repeat({ line, process, payloadDigest }: LineAccount, { processId }: ExistingProcess): RepeatedLine {
  const { externalAccountNumber } = process;
  return { line: line.line, externalAccountNumber, payloadDigest, processId };
}
