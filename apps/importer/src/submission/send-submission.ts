import {
  type OpenSubmissionRequest,
  type PortageClient,
  PortageError,
  Unreachable,
  type Upload,
} from '@portage/client';
import type { Expected } from '../book/expected';
import type { JsonLinesFile } from '../book/json-lines-file';
import type { ImportOptions } from '../options';
import type { Step } from '../run/progress';
import type { RunContext } from '../run/run-context';
import type { Summary } from '../run/summary';
import { withProgress } from '../run/with-progress';
import { UsageError } from '../usage-error';
import { type BookPlan, isPlan, planOf } from './book-plan';
import { followSubmission, hasEnded } from './follow-submission';
import { LineReports, type SubmissionParts } from './line-reports';
import { openSubmission } from './open-submission';
import { defaultReference, planReference } from './reference';
import { SentLines } from './sent-lines';
import type { SubmissionOutcome } from './submission-outcome';
import { acceptedOf, endedOf, type SubmissionRun } from './submission-run';
import { SubmissionTally } from './submission-tally';

/** The options of the book that its submission uses. */
export type SubmissionOptions = Pick<
  ImportOptions,
  'kind' | 'wait' | 'waitMs' | 'timeoutMs' | 'reference' | 'expected' | 'mode' | 'rehearse' | 'plan'
>;

/** The result of sending a book as a submission. */
export interface SentBook {
  summary: Summary;
  /** Undefined if no line was sent. */
  submission: SubmissionOutcome | undefined;
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
 * Sends a book as a submission: opens it, uploads the lines, completes it, waits until its accounts have come to their
 * end, lists what failed and reads the reconciliation. A submission that an earlier run has completed is not uploaded
 * again.
 *
 * @throws UsageError if the submission cannot be opened; nothing is sent then
 */
export async function sendSubmission(
  book: JsonLinesFile,
  portage: PortageClient,
  parts: SubmissionParts,
  options: SubmissionOptions,
  context: RunContext,
): Promise<SentBook> {
  const { stop } = context;
  const sending = new BookSubmission(book, portage, parts, options, context);
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

class BookSubmission {
  private readonly tally: SubmissionTally;
  private submissionRun: SubmissionRun | undefined;
  private plan: BookPlan | undefined;
  /** True if an earlier run has begun to send the book, so that there is nothing to plan. */
  private isBegun = false;
  private readonly reports: LineReports;
  private readonly lines: SentLines;
  private reconciliation: SubmissionOutcome['reconciliation'] = null;

  constructor(
    private readonly book: JsonLinesFile,
    private readonly portage: PortageClient,
    private readonly parts: SubmissionParts,
    private readonly options: SubmissionOptions,
    private readonly context: RunContext,
  ) {
    this.tally = new SubmissionTally(context.clock, options.kind);
    this.reports = new LineReports(portage, parts, options, this.tally, context);
    this.lines = new SentLines(book, parts.contents, parts.index);
  }

  /** @throws UsageError */
  async open(): Promise<void> {
    const { contents, index } = this.parts;
    contents.finish(index);
    if (contents.lineCount > 0) {
      const reference = this.options.reference ?? (await this.defaultReference());
      if (reference === undefined) return;
      if (isPlan(this.options) && (await this.findBegun(reference))) return;
      this.submissionRun = await openSubmission(this.portage, this.toRequest(reference));
    }
    await this.reports.reportUnsent(this.book);
    if (this.submissionRun !== undefined) this.note(describeOpened(this.submissionRun));
  }

  async run(): Promise<void> {
    const { submissionRun: run } = this;
    if (run !== undefined) await this.sendAndFollow(run);
    if (this.isStopped()) return;
    if (this.parts.outcomes !== undefined) this.parts.outcomes.isComplete = true;
    if (isPlan(this.options) && !this.isBegun && (run === undefined || hasEnded(run)))
      this.plan = planOf(run, this.tally.summary(run));
  }

  outcome(): Omit<SentBook, 'failure'> {
    const { submissionRun: run, plan, reconciliation } = this;
    const summary = this.tally.summary(run);
    if (run === undefined) return { summary, plan, submission: undefined };
    const { id, import_supplier, reference, status, counts } = run.submission;
    return { summary, plan, submission: { id, import_supplier, reference, status, counts, reconciliation } };
  }

  private async sendAndFollow(run: SubmissionRun): Promise<void> {
    if (!run.wasComplete && !this.isStopped()) await this.send(run);
    if (this.options.wait && !this.isStopped()) await this.follow(run);
    if (this.isStopped()) return;
    await this.reports.reportResults(run);
    if (this.options.wait && !this.isStopped()) await this.reconcile(run);
  }

  /** The submission of the book, or the one that rehearses it. */
  private toRequest(reference: string): OpenSubmissionRequest {
    const { kind, mode, rehearse } = this.options;
    const { supplier, taskParams } = this.parts.contents;
    const params = rehearse ? { ...(taskParams as object | undefined), is_dry_run: true } : taskParams;
    return {
      import_supplier: supplier,
      reference: isPlan(this.options) ? planReference(reference, this.context.clock.now()) : reference,
      ...(kind === 'accounts' ? { mode } : { kind }),
      expected: this.expected(),
      ...(params !== undefined && { task_params: params }),
    };
  }

  /** True if the book has a submission already: its rehearsal could take over the accounts. */
  private async findBegun(reference: string): Promise<boolean> {
    const query = { supplier: this.parts.contents.supplier, reference };
    const { data } = await this.portage.listSubmissions({ query, throwOnError: false });
    const [begun] = data ?? [];
    if (begun === undefined) return false;
    this.isBegun = true;
    this.note(`Submission ${begun.id} (${reference}) was opened by an earlier run, so there is no new plan.`);
    return true;
  }

  private expected(): Expected {
    const { lineCount, totals } = this.parts.contents;
    const expected = this.options.expected ?? {};
    const counted = this.options.kind === 'accounts' ? { accounts: lineCount } : totals.toExpected();
    for (const [measure, total] of Object.entries(counted)) {
      const given = expected[measure as keyof Expected] ?? total;
      if (Number(given) !== Number(total))
        this.note(`The control totals have ${given} ${measure}, and the file has ${total} to send.`);
    }
    return { ...counted, ...expected };
  }

  /** @returns undefined if the run was stopped meanwhile */
  private async defaultReference(): Promise<string | undefined> {
    const { progress, progressEveryMs, stop } = this.context;
    const digest = await withProgress(
      progress,
      progressEveryMs,
      () => [{ label: 'digest', fraction: this.book.fractionRead, details: this.book.path }],
      () => this.lines.digest(stop.signal),
    );
    if (digest === undefined) return undefined;
    // The book itself is another submission than its rehearsal, and than the same book in another mode.
    const { mode, rehearse, plan } = this.options;
    const suffix = `${mode === 'create' ? '' : `-${mode}`}${rehearse && !plan ? REHEARSAL : ''}`;
    return defaultReference(this.book.path, digest, suffix);
  }

  /** Uploads and completes the submission. */
  private async send(run: SubmissionRun): Promise<void> {
    const { progress, progressEveryMs } = this.context;
    const path = { id: run.submission.id };
    this.tally.recordSending();
    try {
      const { ignored_fields } = await withProgress(
        progress,
        progressEveryMs,
        () => this.steps(run, this.book.fractionRead),
        () => this.upload(run),
      );
      this.tally.addIgnoredFields(ignored_fields);
    } catch (error) {
      if (!(error instanceof PortageError) || error.code !== 'submission_not_open') throw error;
      run.submission = (await this.portage.readSubmission({ path })).data;
      const end = run.submission.status === 'ABORTED' ? 'aborted' : 'completed';
      const sentence = `Submission ${path.id} was ${end} during the upload, so it takes no more lines`;
      if (end === 'aborted') throw new Error(sentence, { cause: error });
      this.note(`${sentence}.`);
    }
    run.submission = (await this.portage.completeSubmission({ path })).data;
  }

  private async upload(run: SubmissionRun): Promise<Upload> {
    return this.portage.upload(run.submission.id, () => this.lines.read(), {
      kind: this.options.kind,
      signal: this.context.stop.signal,
      onProgress: (submission) => {
        run.submission = submission;
      },
      onRetry: ({ reason, waitMs }) => {
        this.note(
          `The upload was interrupted after line ${this.lines.line} (${reason}). The whole file is sent again in ${Math.ceil(waitMs / 1000)} s, which is safe: lines that the service has are recognised.`,
        );
      },
    });
  }

  private async follow(run: SubmissionRun): Promise<void> {
    const { stop, clock, progress, progressEveryMs } = this.context;
    await withProgress(
      progress,
      progressEveryMs,
      () => this.steps(run, 1),
      () =>
        followSubmission(this.portage, run, {
          waitMs: this.options.waitMs,
          clock,
          stop: stop.signal,
          note: (line) => {
            this.note(line);
          },
        }),
    );
    this.tally.recordEnd();
  }

  private async reconcile(run: SubmissionRun): Promise<void> {
    const { data } = await this.portage.reconcileSubmission({
      path: { id: run.submission.id },
      timeoutMs: Math.max(this.options.timeoutMs, MIN_RECONCILIATION_TIMEOUT_MS),
    });
    this.reconciliation = data;
  }

  private steps({ submission }: SubmissionRun, fractionSent: number): Step[] {
    const { counts, finished_at, accounts_per_second, estimated_end } = submission;
    const failed = counts.errored + counts.dry_run_errored + counts.correction_errored + counts.cancelled;
    // A submission that has ended has its mean.
    const perSecond = finished_at === null ? (accounts_per_second ?? 0) : 0;
    const processed = [
      `${counts.processed + counts.dry_run_succeeded} processed`,
      ...(counts.corrected > 0 ? [`${counts.corrected} corrected`] : []),
      ...(counts.would_correct > 0 ? [`${counts.would_correct} would be corrected`] : []),
      ...(counts.unchanged > 0 ? [`${counts.unchanged} unchanged`] : []),
      ...(failed > 0 ? [`${failed} errored`] : []),
      ...(perSecond > 0
        ? [
            `${Math.round(perSecond * 10) / 10} ${this.options.kind === 'accounts' ? 'accounts' : 'lines'} a second`,
          ]
        : []),
      ...(estimated_end === null ? [] : [`ends about ${estimated_end.slice(11, 19)}`]),
    ];
    // Relative to the accounts of the whole book, estimated from the part that was sent.
    const fraction = counts.received === 0 ? 0 : (endedOf(counts) / counts.received) * fractionSent;
    return [
      {
        label: 'sent',
        fraction: fractionSent,
        details: `${counts.received} received, ${counts.refused} refused`,
      },
      { label: 'processed', fraction, details: processed.join(', ') },
    ];
  }

  private isStopped(): boolean {
    return this.context.stop.signal.aborted;
  }

  private note(line: string): void {
    this.context.progress.note(line);
  }
}

function describeOpened({ submission, wasComplete, before }: SubmissionRun): string {
  const { id, status, reference } = submission;
  if (wasComplete)
    return `Submission ${id} (${reference}) is complete already (${status}), so nothing is uploaded.`;
  if (before.received > 0)
    return `Submission ${id} (${reference}) is resumed. It has ${acceptedOf(before)} ${submission.kind === 'additions' ? 'lines' : 'accounts'} already, which are recognised.`;
  return `Submission ${id} (${reference}) is open.`;
}
