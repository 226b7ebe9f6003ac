import { type PortageClient, Unreachable } from '@portage/client';
import type { Expected } from '../book/expected';
import type { JsonLinesFile } from '../book/json-lines-file';
import type { ImportOptions } from '../options';
import type { Step } from '../run/progress';
import type { RunContext } from '../run/run-context';
import type { Summary } from '../run/validation-tally';
import { withProgress } from '../run/with-progress';
import { UsageError } from '../usage-error';
import { type BookPlan, isPlan, planOf } from './book-plan';
import { followSubmissions, hasEnded } from './follow-submissions';
import type { LineGroup } from './line-groups';
import { LineReports, type SubmissionParts } from './line-reports';
import { openSubmissions, type PlannedSubmission } from './open-submissions';
import { defaultReference, numberedReference, planReference } from './reference';
import { SentLines } from './sent-lines';
import type { SubmissionOutcome } from './submission-outcome';
import { acceptedOf, endedOf, type SubmissionRun } from './submission-run';
import { SubmissionTally } from './submission-tally';
import { Upload } from './upload';

/** The options of the book that submissions use. */
export type SubmissionOptions = Pick<
  ImportOptions,
  | 'kind'
  | 'wait'
  | 'waitMs'
  | 'retryMs'
  | 'timeoutMs'
  | 'reference'
  | 'expected'
  | 'mode'
  | 'rehearse'
  | 'plan'
>;

/** The result of sending a book as submissions. */
export interface SentBook {
  summary: Summary;
  submissions: SubmissionOutcome[];
  /** What sending the book would do; undefined unless it was rehearsed for its plan. */
  plan: BookPlan | undefined;
  /** The error that ended the run early. */
  failure: Error | undefined;
}

/** The end of the reference of a rehearsal. */
const REHEARSAL = '-rehearsal';

/** A reconciliation of a million accounts takes some seconds. */
const MIN_RECONCILIATION_TIMEOUT_MS = 120_000;

/**
 * Sends a book as submissions: one for each supplier and `task_params`. Opens them, uploads the lines, completes them,
 * waits until their accounts have come to their end, lists what failed and reads the reconciliations. A submission that
 * an earlier run has completed is not uploaded again.
 *
 * @throws UsageError if a submission cannot be opened; nothing is sent then
 */
export async function sendSubmissions(
  book: JsonLinesFile,
  portage: PortageClient,
  parts: SubmissionParts,
  options: SubmissionOptions,
  context: RunContext,
): Promise<SentBook> {
  const { stop } = context;
  const sending = new BookSubmissions(book, portage, parts, options, context);
  try {
    await sending.open();
    await sending.run();
    return { ...sending.outcome(), failure: undefined };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const isStopped = stop.signal.aborted && error instanceof Unreachable;
    const failure = error instanceof Error ? error : new Error(String(error));
    return { ...sending.outcome(), failure: isStopped ? undefined : failure };
  }
}

class BookSubmissions {
  private readonly tally: SubmissionTally;
  private runs: SubmissionRun[] = [];
  private plan: BookPlan | undefined;
  /** True if an earlier run has begun to send the book, so that there is nothing to plan. */
  private isBegun = false;
  private readonly reports: LineReports;
  private readonly reconciliations = new Map<SubmissionRun, SubmissionOutcome['reconciliation']>();

  constructor(
    private readonly book: JsonLinesFile,
    private readonly portage: PortageClient,
    private readonly parts: SubmissionParts,
    private readonly options: SubmissionOptions,
    private readonly context: RunContext,
  ) {
    this.tally = new SubmissionTally(context.clock, options.kind);
    this.reports = new LineReports(portage, parts, options, this.tally, context);
  }

  /** @throws UsageError */
  async open(): Promise<void> {
    const groups = this.parts.lineGroups.finish(this.parts.index);
    const sent = await this.planReferences(groups);
    if (sent === undefined) return;
    const planned = isPlan(this.options) ? await this.toPlans(sent) : sent;
    if (planned === undefined) return;
    const { runs, refused } = await openSubmissions(this.portage, planned, this.options);
    this.runs = runs;
    await this.reports.reportUnsent(this.book, refused);
    if (groups.length > 1)
      this.note(
        `The lines have ${groups.length} combinations of import_supplier and task_params, and each is a submission of its own: ${groups.map(describeGroup).join(', ')}.`,
      );
    for (const run of runs) this.note(describeOpened(run));
  }

  async run(): Promise<void> {
    const { stop } = this.context;
    for (const run of this.runs) {
      if (this.isStopped()) return;
      if (!run.wasComplete) await this.send(run);
    }
    if (this.isStopped()) return;
    if (this.options.wait) await this.follow();
    if (this.isStopped()) return;
    for (const run of this.runs) await this.reports.reportResults(run);
    if (this.parts.outcomes !== undefined && !this.isStopped()) this.parts.outcomes.isComplete = true;
    if (this.options.wait && !stop.signal.aborted) for (const run of this.runs) await this.reconcile(run);
    if (isPlan(this.options) && !this.isBegun && this.runs.every(hasEnded))
      this.plan = planOf(this.runs, this.tally.summary(this.runs));
  }

  outcome(): Omit<SentBook, 'failure'> {
    return {
      summary: this.tally.summary(this.runs),
      plan: this.plan,
      submissions: this.runs.map((run) => ({
        id: run.submission.id,
        import_supplier: run.submission.import_supplier,
        reference: run.submission.reference,
        status: run.submission.status,
        counts: run.submission.counts,
        reconciliation: this.reconciliations.get(run) ?? null,
      })),
    };
  }

  /** @returns undefined if the run was stopped meanwhile */
  private async planReferences(groups: readonly LineGroup[]): Promise<PlannedSubmission[] | undefined> {
    const { reference: given, expected = {} } = this.options;
    if (groups.length > 1 && this.options.expected !== undefined)
      throw new UsageError(
        `The control totals are those of one submission, and the book is sent as ${groups.length}: one for each import_supplier and task_params (${groups.map(describeGroup).join(', ')}). Divide the book, or leave out --expected or the totals of the mapping.`,
      );
    const planned: PlannedSubmission[] = [];
    for (const group of groups) {
      const reference = given ?? (await this.defaultReferenceOf(group));
      if (reference === undefined) return undefined;
      planned.push({
        group,
        reference: planned.length > 0 ? numberedReference(reference, planned.length + 1) : reference,
        expected: this.expectedOf(group, expected),
      });
    }
    return planned;
  }

  /**
   * The submissions that rehearse others. Undefined if one of these exists: the rehearsal could take over its accounts.
   */
  private async toPlans(sent: readonly PlannedSubmission[]): Promise<PlannedSubmission[] | undefined> {
    for (const { group, reference } of sent) {
      const query = { supplier: group.supplier, reference };
      const { data } = await this.portage.listSubmissions({ query, throwOnError: false });
      const [begun] = data ?? [];
      if (begun === undefined) continue;
      this.isBegun = true;
      this.note(
        `Submission ${begun.id} (${reference}) was opened by an earlier run, so there is no new plan.`,
      );
      return undefined;
    }
    const now = this.context.clock.now();
    return sent.map((one) => ({ ...one, reference: planReference(one.reference, now) }));
  }

  private expectedOf({ lineCount, totals }: LineGroup, expected: Expected): Expected {
    const counted = this.options.kind === 'accounts' ? { accounts: lineCount } : totals.toExpected();
    for (const [measure, total] of Object.entries(counted)) {
      const given = expected[measure as keyof Expected] ?? total;
      if (Number(given) !== Number(total))
        this.note(`The control totals have ${given} ${measure}, and the file has ${total} to send.`);
    }
    return { ...counted, ...expected };
  }

  private async defaultReferenceOf(group: LineGroup): Promise<string | undefined> {
    const { progress, progressEveryMs, stop } = this.context;
    const digest = await withProgress(
      progress,
      progressEveryMs,
      () => [{ label: 'digest', fraction: this.book.fractionRead, details: this.book.path }],
      () => this.linesOf(group).digest(stop.signal),
    );
    if (digest === undefined) return undefined;
    // The book itself is another submission than its rehearsal, and than the same book in another mode.
    const { mode, rehearse, plan } = this.options;
    const suffix = `${mode === 'create' ? '' : `-${mode}`}${rehearse && !plan ? REHEARSAL : ''}`;
    return defaultReference(this.book.path, digest, suffix);
  }

  /** Uploads and completes a submission. */
  private async send(run: SubmissionRun): Promise<void> {
    const { stop, clock, random, progress, progressEveryMs } = this.context;
    const upload = new Upload(
      run.submission,
      this.linesOf(run.group),
      { retryMs: this.options.retryMs, timeoutMs: this.options.timeoutMs },
      {
        portage: this.portage,
        stop: stop.signal,
        clock,
        random,
        note: (line) => {
          this.note(line);
        },
        onRead: (submission) => {
          run.submission = submission;
        },
      },
    );
    this.tally.recordSending();
    const end = await withProgress(
      progress,
      progressEveryMs,
      () => this.steps(this.book.fractionRead),
      () => upload.run(),
    );
    if (end.kind === 'stopped') return;
    if (end.kind === 'uploaded') this.tally.addIgnoredFields(end.answer.ignored_fields);
    else this.note(describeClosed(end.submission.id, end.submission.status));
    if (end.kind === 'closed' && end.submission.status === 'ABORTED') {
      run.submission = end.submission;
      throw new Error(`Submission ${end.submission.id} was aborted during the upload`);
    }
    run.submission = (await this.portage.completeSubmission({ path: { id: run.submission.id } })).data;
  }

  private async follow(): Promise<void> {
    const { stop, clock, progress, progressEveryMs } = this.context;
    await withProgress(
      progress,
      progressEveryMs,
      () => this.steps(1),
      () =>
        followSubmissions(this.portage, this.runs, {
          waitMs: this.options.waitMs,
          clock,
          stop: stop.signal,
        }),
    );
    this.tally.recordEnd();
  }

  private async reconcile(run: SubmissionRun): Promise<void> {
    const { data } = await this.portage.reconcileSubmission({
      path: { id: run.submission.id },
      timeoutMs: Math.max(this.options.timeoutMs, MIN_RECONCILIATION_TIMEOUT_MS),
    });
    this.reconciliations.set(run, data);
  }

  private steps(fractionSent: number): Step[] {
    const counts = this.runs.map(({ submission }) => submission.counts);
    const sum = (of: (one: (typeof counts)[number]) => number) =>
      counts.reduce((total, one) => total + of(one), 0);
    const [received, refused, ended] = [sum(({ received }) => received), sum((c) => c.refused), sum(endedOf)];
    const failed = sum((one) => one.errored + one.dry_run_errored + one.correction_errored + one.cancelled);
    const corrected = sum((one) => one.corrected);
    const wouldCorrect = sum((one) => one.would_correct);
    const unchanged = sum((one) => one.unchanged);
    // A submission that has ended has its mean.
    const perSecond = this.runs
      .filter(({ submission }) => submission.finished_at === null)
      .reduce((rate, { submission }) => rate + (submission.accounts_per_second ?? 0), 0);
    const lastEnd = this.runs
      .map(({ submission }) => submission.estimated_end)
      .filter((moment) => moment !== null)
      .sort()
      .at(-1);
    const processed = [
      `${sum((one) => one.processed + one.dry_run_succeeded)} processed`,
      ...(corrected > 0 ? [`${corrected} corrected`] : []),
      ...(wouldCorrect > 0 ? [`${wouldCorrect} would be corrected`] : []),
      ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
      ...(failed > 0 ? [`${failed} errored`] : []),
      ...(perSecond > 0
        ? [
            `${Math.round(perSecond * 10) / 10} ${this.options.kind === 'accounts' ? 'accounts' : 'lines'} a second`,
          ]
        : []),
      ...(lastEnd === undefined ? [] : [`ends about ${lastEnd.slice(11, 19)}`]),
    ];
    // Relative to the accounts of the whole book, estimated from the part that was sent.
    const fraction = received === 0 ? 0 : (ended / received) * fractionSent;
    return [
      { label: 'sent', fraction: fractionSent, details: `${received} received, ${refused} refused` },
      { label: 'processed', fraction, details: processed.join(', ') },
    ];
  }

  private linesOf(group: LineGroup): SentLines {
    return new SentLines(this.book, this.parts.lineGroups, this.parts.index, group);
  }

  private isStopped(): boolean {
    return this.context.stop.signal.aborted;
  }

  private note(line: string): void {
    this.context.progress.note(line);
  }
}

function describeGroup({ supplier, taskParams, lineCount }: LineGroup): string {
  const params = taskParams === undefined ? '' : ` with ${JSON.stringify(taskParams)}`;
  return `${supplier}${params} ${lineCount} lines`;
}

function describeOpened({ submission, reference, wasComplete, before }: SubmissionRun): string {
  const { id, status } = submission;
  if (wasComplete)
    return `Submission ${id} (${reference}) is complete already (${status}), so nothing is uploaded.`;
  if (before.received > 0)
    return `Submission ${id} (${reference}) is resumed. It has ${acceptedOf(before)} ${submission.kind === 'additions' ? 'lines' : 'accounts'} already, which are recognised.`;
  return `Submission ${id} (${reference}) is open.`;
}

function describeClosed(id: string, status: string): string {
  return `Submission ${id} was ${status === 'ABORTED' ? 'aborted' : 'completed'} during the upload, so it takes no more lines.`;
}
