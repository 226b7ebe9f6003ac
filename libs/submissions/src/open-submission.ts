import { Inject, Injectable } from '@nestjs/common';
import { fingerprint } from '@portage/accounts';
import { findTaskParamsErrors, MEASURES, parseDryRun, parseWindow } from '@portage/imports';
import {
  AuditRepository,
  type Clock,
  CLOCK,
  Database,
  type Executor,
  type FieldError,
  PortageError,
  Quotas,
} from '@portage/platform';
import {
  buildSupplierError,
  type Caller,
  ImportSupplierDirectory,
  type ImportSupplierEntity,
  requireOngoing,
} from '@portage/tenants';
import { type NewSubmission, SubmissionRepository } from './submission.repository';
import type { SubmissionView } from './submissions.dto';
import type { SubmissionKind, SubmissionMode } from './submission';
import type { ExpectedValues } from './submission.entity';
import { ADDITION_MEASURES } from './additions/addition-measures';
import { Submissions } from './submissions';

const TASK_PARAMS = ['is_dry_run', 'schedule_window_start', 'schedule_window_end'] as const;

/** The parameters of the imports of a submission. The window is as it was sent. */
export type SubmissionParams = Partial<Record<(typeof TASK_PARAMS)[number], unknown>>;

/** What opens a submission. */
export interface SubmissionRequest {
  import_supplier: string;
  reference: string;
  /** Default: accounts. */
  kind?: SubmissionKind;
  /** Default: create. */
  mode?: SubmissionMode;
  expected?: ExpectedValues | null;
  task_params?: SubmissionParams | null;
}

/** The submission of a request, and whether the request has opened it. */
export interface OpenedSubmission {
  submission: SubmissionView;
  /** False if an earlier request with the same body has opened it. */
  isNew: boolean;
}

/** Opens a submission: a book of accounts that its supplier uploads, watches and reconciles as one unit. */
@Injectable()
export class OpenSubmission {
  constructor(
    private readonly repository: SubmissionRepository,
    private readonly submissions: Submissions,
    private readonly suppliers: ImportSupplierDirectory,
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly quotas: Quotas,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Opens a submission. Safe to repeat: the same body returns the submission that the first request has opened.
   *
   * @throws PortageError `validation_error`, `submission_reference_already_exists`,
   * `import_supplier_migration_not_ongoing`, `quota_reached`
   */
  async open(
    { organisationId, actor }: Pick<Caller, 'organisationId' | 'actor'>,
    request: SubmissionRequest,
  ): Promise<OpenedSubmission> {
    const { import_supplier: code, reference, kind = 'accounts', mode = 'create' } = request;
    const { expected: totals, task_params } = request;
    const supplier = await this.suppliers.find(organisationId, code);
    if (!supplier) throw invalid([buildSupplierError(code)]);
    const expected = totals ?? {};
    const taskParams = task_params ?? {};
    const measures: readonly (keyof ExpectedValues)[] = kind === 'additions' ? ADDITION_MEASURES : MEASURES;
    const requestHash = fingerprint(
      kind === 'additions' ? 'submission of additions' : 'submission',
      reference,
      measures.map((measure) => expected[measure] ?? null),
      TASK_PARAMS.map((name) => taskParams[name] ?? null),
      // As the hash of a submission without a mode.
      ...(mode === 'create' ? [] : [mode]),
    );
    // Before the window is parsed, which may have begun since the first request.
    const earlier = await this.findEarlier(supplier.id, reference, requestHash);
    if (earlier) return earlier;
    requireOngoing(supplier);
    const misplaced = findMisplaced(kind, mode, expected, taskParams);
    if (misplaced.length > 0) throw invalid(misplaced);
    const id = await this.insert(supplier, {
      supplierId: supplier.id,
      reference,
      requestHash,
      expected,
      kind,
      mode,
      actor,
      ...this.parseParams(taskParams, supplier.timeZone, mode),
    });
    if (id === undefined) {
      // Another request has opened it at the same time.
      const concurrent = await this.findEarlier(supplier.id, reference, requestHash);
      if (concurrent) return concurrent;
      throw new PortageError('unavailable', 'The submission could not be opened just now. Send it again.');
    }
    return { submission: await this.submissions.read(organisationId, id), isNew: true };
  }

  private async insert(
    supplier: ImportSupplierEntity,
    submission: NewSubmission,
  ): Promise<string | undefined> {
    const insert = async (executor: Executor) => {
      const id = await this.repository.insert(submission, executor);
      if (id !== undefined)
        await this.audit.record(executor, {
          actor: submission.actor,
          action: 'submission.open',
          supplier: supplier.code,
          subject: submission.reference,
          details: {
            submission: id,
            kind: submission.kind,
            mode: submission.mode,
            is_dry_run: submission.isDryRun,
          },
        });
      return id;
    };
    await this.quotas.take('open_submissions', { supplierId: supplier.id });
    return this.database.transaction(insert);
  }

  private async findEarlier(
    supplierId: number,
    reference: string,
    requestHash: Buffer,
  ): Promise<OpenedSubmission | undefined> {
    const found = await this.repository.findByReference(supplierId, reference);
    if (!found) return undefined;
    if (!found.requestHash.equals(requestHash))
      throw new PortageError(
        'submission_reference_already_exists',
        `Submission ${found.id} has this reference, and was opened with another body.`,
      );
    return { submission: await this.submissions.view(found), isNew: false };
  }

  private parseParams(
    taskParams: SubmissionParams,
    timeZone: string,
    mode: SubmissionMode,
  ): Pick<NewSubmission, 'isDryRun' | 'scheduleWindowStart' | 'scheduleWindowEnd'> {
    const now = this.clock.now();
    const errors = findTaskParamsErrors(taskParams, now, timeZone);
    const window = parseWindow(taskParams, now, timeZone);
    if (errors.length > 0 || 'code' in window) throw invalid(errors);
    // The default end counts from each request, and a submission may be open for longer than that.
    const hasWindow = TASK_PARAMS.slice(1).some((name) => Boolean(taskParams[name]));
    if (hasWindow && mode !== 'create')
      throw invalid([
        {
          attr: 'task_params',
          code: 'invalid',
          detail: `Corrections begin at once, so a submission with the mode ${mode} has no schedule window.`,
        },
      ]);
    return {
      isDryRun: parseDryRun(taskParams) ?? false,
      scheduleWindowStart: window.start,
      scheduleWindowEnd: hasWindow ? window.end : null,
    };
  }
}

/** The members that have no effect in a submission of this kind. */
function findMisplaced(
  kind: SubmissionKind,
  mode: SubmissionMode,
  expected: ExpectedValues,
  taskParams: SubmissionParams,
): FieldError[] {
  const known: readonly string[] = kind === 'additions' ? ADDITION_MEASURES : MEASURES;
  const errors = Object.keys(expected)
    .filter((measure) => !known.includes(measure) && expected[measure as keyof ExpectedValues] !== undefined)
    .map((measure) => ({
      attr: `expected.${measure}`,
      code: 'invalid_choice',
      detail: `A submission of ${kind} is not reconciled by ${measure}.`,
    }));
  if (kind === 'accounts') return errors;
  if (mode !== 'create')
    errors.push({ attr: 'mode', code: 'invalid_choice', detail: 'Modes are for submissions of accounts.' });
  for (const name of ['schedule_window_start', 'schedule_window_end'] as const)
    if (taskParams[name] !== undefined && taskParams[name] !== null)
      errors.push({
        attr: `task_params.${name}`,
        code: 'misplaced_parameter',
        detail: 'Additions begin at once, so they have no schedule window.',
      });
  return errors;
}

function invalid(errors: FieldError[]): PortageError {
  return new PortageError('validation_error', 'The submission is not valid.', { errors });
}
