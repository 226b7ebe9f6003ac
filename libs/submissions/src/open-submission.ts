import { Inject, Injectable } from '@nestjs/common';
import { fingerprint } from '@portage/accounts';
import {
  findTaskParamsErrors,
  type Measure,
  MEASURES,
  type MeasureValues,
  parseDryRun,
  parseWindow,
} from '@portage/imports';
import {
  AuditRepository,
  type Clock,
  CLOCK,
  Database,
  type Executor,
  type FieldError,
  formatMoney,
  hasInvisibleCharacter,
  parseMoney,
  PortageError,
  Quotas,
} from '@portage/platform';
import {
  buildSupplierError,
  type Caller,
  ImportSupplierDirectory,
  type ImportSupplierEntity,
  migrationClosedMessage,
  supplierCodeOf,
} from '@portage/tenants';
import { type NewSubmission, SubmissionRepository } from './submission.repository';
import type { SubmissionView } from './submissions.dto';
import { Submissions } from './submissions';

const MAX_REFERENCE_LENGTH = 128;

/** Whole digits of an expected opening balance. */
const MAX_BALANCE_DIGITS = 17;

const MEMBERS = ['import_supplier', 'reference', 'expected', 'task_params'];
const TASK_PARAMS = ['is_dry_run', 'schedule_window_start', 'schedule_window_end'];

type Json = Record<string, unknown>;

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
    body: Json,
  ): Promise<OpenedSubmission> {
    const code = supplierCodeOf(body);
    const supplier = code === undefined ? undefined : await this.suppliers.find(organisationId, code);
    const errors: FieldError[] = [];
    if (!supplier) errors.push(buildSupplierError(code));
    const reference = readReference(body['reference'], errors);
    const expected = readExpected(body['expected'], errors);
    const taskParams = readTaskParams(body['task_params'], errors);
    for (const name of Object.keys(body)) if (!MEMBERS.includes(name)) errors.push(unknownField(name));
    if (!supplier || reference === undefined || !expected || !taskParams || errors.length > 0)
      throw invalid(errors);

    const requestHash = fingerprint(
      'submission',
      reference,
      MEASURES.map((measure) => expected[measure] ?? null),
      TASK_PARAMS.map((name) => taskParams[name] ?? null),
    );
    // Before the window is parsed, which may have begun since the first request.
    const earlier = await this.findEarlier(supplier.id, reference, requestHash);
    if (earlier) return earlier;
    if (supplier.status !== 'Ongoing')
      throw new PortageError(
        'import_supplier_migration_not_ongoing',
        migrationClosedMessage(supplier.status),
      );
    const id = await this.insert(supplier, {
      supplierId: supplier.id,
      reference,
      requestHash,
      expected,
      actor,
      ...this.parseParams(taskParams, supplier.timeZone),
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
          details: { submission: id, is_dry_run: submission.isDryRun },
        });
      return id;
    };
    return this.quotas.run('open_submissions', { supplierId: supplier.id }, 1, async () =>
      this.database.transaction(insert),
    );
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
    taskParams: Json,
    timeZone: string,
  ): Pick<NewSubmission, 'isDryRun' | 'scheduleWindowStart' | 'scheduleWindowEnd'> {
    const now = this.clock.now();
    const errors = findTaskParamsErrors(taskParams, now, timeZone);
    const window = parseWindow(taskParams, now, timeZone);
    if (errors.length > 0 || 'code' in window) throw invalid(errors);
    // The default end counts from each request, and a submission may be open for longer than that.
    const hasWindow = TASK_PARAMS.slice(1).some((name) => Boolean(taskParams[name]));
    return {
      isDryRun: parseDryRun(taskParams) ?? false,
      scheduleWindowStart: window.start,
      scheduleWindowEnd: hasWindow ? window.end : null,
    };
  }
}

function invalid(errors: FieldError[]): PortageError {
  return new PortageError('validation_error', 'The submission is not valid.', { errors });
}

function unknownField(attr: string): FieldError {
  return { attr, code: 'unknown_field', detail: 'This field is not part of the contract.' };
}

function readReference(value: unknown, errors: FieldError[]): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const isValid =
    text.length > 0 && Array.from(text).length <= MAX_REFERENCE_LENGTH && !hasInvisibleCharacter(text);
  if (isValid) return text;
  errors.push({
    attr: 'reference',
    code: value === undefined ? 'required' : 'invalid',
    detail: `Enter your own name for the submission: 1 to ${MAX_REFERENCE_LENGTH} visible characters.`,
  });
  return undefined;
}

function readTaskParams(value: unknown, errors: FieldError[]): Json | undefined {
  const params = value ?? {};
  if (!isObject(params)) {
    errors.push({ attr: 'task_params', code: 'invalid', detail: 'Enter a JSON object.' });
    return undefined;
  }
  for (const name of Object.keys(params))
    if (!TASK_PARAMS.includes(name)) errors.push(unknownField(`task_params.${name}`));
  return params;
}

/** The control totals: counts as numbers, and the opening balance as decimal text or a number. */
function readExpected(value: unknown, errors: FieldError[]): Partial<MeasureValues> | undefined {
  const given = value ?? {};
  if (!isObject(given)) {
    errors.push({ attr: 'expected', code: 'invalid', detail: 'Enter a JSON object with measures.' });
    return undefined;
  }
  const expected: Record<string, number | string> = {};
  for (const [name, total] of Object.entries(given)) {
    const attr = `expected.${name}`;
    const measure = MEASURES.find((known) => known === name);
    if (!measure)
      errors.push({ attr, code: 'unknown_field', detail: `Enter one or more of ${MEASURES.join(', ')}.` });
    else if (total !== null) {
      const read = readTotal(measure, total);
      if (read === undefined)
        errors.push({
          attr,
          code: 'invalid',
          detail:
            measure === 'opening_balance'
              ? 'Enter an amount with at most two decimals, such as "-1234.50".'
              : 'Enter a whole number that is not negative.',
        });
      else expected[measure] = read;
    }
  }
  return expected;
}

function readTotal(measure: Measure, value: unknown): number | string | undefined {
  if (measure !== 'opening_balance')
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const money = parseMoney(String(value).trim(), MAX_BALANCE_DIGITS);
  return money === undefined ? undefined : formatMoney(money);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
