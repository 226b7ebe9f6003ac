import type { FieldError, PortageClient, SubmissionResult } from '@portage/client';
import type { AccountIndex } from '../book/account-index';
import { type BookLine, parserOf } from '../book/book-line';
import type { JsonLinesFile } from '../book/json-lines-file';
import type { ImportOptions } from '../options';
import type { ErrorList } from '../run/error-file';
import type { RejectedLines } from '../run/rejected-lines';
import type { RunContext } from '../run/run-context';
import type { BookContents } from './book-contents';
import { describeCorrection, isPlan } from './book-plan';
import { hasEnded } from './follow-submission';
import type { LineOutcomes } from './line-outcomes';
import type { SubmissionRun } from './submission-run';
import type { SubmissionTally } from './submission-tally';

/** What a submission decides by and where it reports. */
export interface SubmissionParts {
  errors: ErrorList;
  rejected: RejectedLines;
  index: AccountIndex;
  contents: BookContents;
  /** Takes what has become of each line, if that is wanted. */
  outcomes?: LineOutcomes;
  /** Names a line in messages: by default by its number. */
  nameLine?: (line: number) => string;
}

/** Corrections of a plan that are shown, and refusals. */
const MAX_SHOWN = 5;

/** Outcomes of lines whose account is not as it was sent. */
const FAILED = ['refused', 'errored', 'dry_run_errored', 'correction_errored', 'cancelled'] as const;

/** Outcomes of lines that have not come to their end. */
const UNFINISHED: readonly Outcome[] = ['pending', 'in_progress', 'correcting'];

type Outcome = SubmissionResult['outcome'];

/** Lists what has become of the lines of a book: those that were not sent, and those that have failed. */
export class LineReports {
  private shownRefusals = 0;

  constructor(
    private readonly portage: PortageClient,
    private readonly parts: SubmissionParts,
    private readonly options: Pick<ImportOptions, 'kind' | 'wait' | 'rehearse' | 'plan'>,
    private readonly tally: SubmissionTally,
    private readonly context: RunContext,
  ) {}

  /** Reports the lines that are not sent: broken, conflicting and equal ones. */
  async reportUnsent(book: JsonLinesFile): Promise<void> {
    const { contents, index } = this.parts;
    if (!contents.hasBadLines && !index.hasDuplicates) return;
    for await (const line of book.parse(parserOf(this.options.kind))) {
      if (this.context.stop.signal.aborted) return;
      this.reportLine(line);
    }
  }

  private reportLine(line: BookLine): void {
    const { index, errors, rejected } = this.parts;
    if (line.kind === 'bad') {
      const error = { code: 'parse_error', attr: '', detail: line.detail };
      this.tally.recordFailed('refused', error.code);
      this.showRefusal(line.line, '', error);
      rejected.add(line.line);
      const request = this.options.kind === 'accounts' ? 'account' : '';
      errors.add({ line: line.line, request, externalAccountNumber: '' }, 'refused', error);
      return;
    }
    const role = index.roleOf(line.line);
    this.tally.recordRole(role);
    if (role !== 'conflicting') return;
    errors.add(line, 'conflicting', index.conflictOf(line.line));
    rejected.add(line.line);
  }

  /** Lists the lines that failed, and those that have not come to their end although the tool has waited. */
  async reportResults(run: SubmissionRun): Promise<void> {
    const isWaiting = this.options.wait && !hasEnded(run);
    let otherLines = 0;
    const outcome: Outcome[] = isWaiting ? [...FAILED, ...UNFINISHED] : [...FAILED];
    const { unchecked_lists: lists } = run.submission;
    if (lists.length > 0)
      this.note(
        `The operator has not set up ${lists.length} lists of codes, so that codes of these were not checked: ${lists.join(', ')}.`,
      );
    // Of additions, lines that were performed say what they have added.
    const query = this.options.kind === 'accounts' && this.parts.outcomes === undefined ? { outcome } : {};
    for await (const result of this.portage.results(run.submission.id, query)) {
      this.tally.recordAddition(result);
      this.reportDiffering(result);
      if (this.isOfFile(result)) this.parts.outcomes?.record(result.line, result.outcome);
      if (outcome.includes(result.outcome) && !this.reportResult(result)) otherLines += 1;
    }
    if (isPlan(this.options)) await this.showCorrections(run);
    if (otherLines > 0)
      this.note(
        `Submission ${run.submission.id} has ${otherLines} failed lines that are not lines of this file.${this.parts.outcomes ? '' : ' They are listed, but not copied to --rejected.'}`,
      );
  }

  private async showCorrections(run: SubmissionRun): Promise<void> {
    let shown = 0;
    for await (const result of this.portage.results(run.submission.id, { outcome: ['would_correct'] })) {
      this.note(describeCorrection(result, this.nameOf(result.line)));
      shown += 1;
      if (shown === MAX_SHOWN) return;
    }
  }

  private showRefusal(line: number, externalAccountNumber: string, error: FieldError | undefined): void {
    if (!isPlan(this.options) || error === undefined || this.shownRefusals === MAX_SHOWN) return;
    this.shownRefusals += 1;
    const attr = error.attr === '' ? '' : `${error.attr}: `;
    const number = externalAccountNumber === '' ? '' : `${externalAccountNumber} `;
    this.note(`Refused ${number}(${this.nameOf(line)}): ${error.code}, ${attr}${error.detail}`);
  }

  /** Lists an addition that the account has with other content. */
  private reportDiffering({ line, kind, addition, external_account_number: number }: SubmissionResult): void {
    if (addition === null || addition.different === 0) return;
    const detail = `${addition.different} of this line exist with other content, which is unchanged.`;
    this.parts.errors.add({ line, request: kind ?? '', externalAccountNumber: number ?? '' }, 'differing', {
      code: 'addition_differing',
      attr: kind ?? '',
      detail,
    });
  }

  /** @returns false if the line is not one of this file */
  private reportResult(result: SubmissionResult): boolean {
    const { errors, rejected } = this.parts;
    const { line, outcome } = result;
    const externalAccountNumber = result.external_account_number ?? '';
    const list: FieldError[] = result.errors.map(({ attr, ...error }) => ({ ...error, attr: attr ?? '' }));
    if (list.length === 0) list.push(withoutError(outcome));
    const stage = stageOf(outcome);
    const isOfFile = this.isOfFile(result);
    // A list of outcomes has the lines of the file only.
    if (!isOfFile && this.parts.outcomes !== undefined) return false;
    for (const error of list)
      errors.add({ line, request: result.kind ?? '', externalAccountNumber }, stage, error);
    if (stage === 'unfinished') return true;
    this.tally.recordFailed(stage, list[0]?.code ?? '');
    this.showRefusal(line, externalAccountNumber, list[0]);
    if (isOfFile) rejected.add(line);
    return isOfFile;
  }

  private isOfFile({ line, external_account_number: number }: SubmissionResult): boolean {
    const { contents } = this.parts;
    // The service reads no account number of a line that is too long.
    return contents.hasItem(line) && (number === null || contents.isAbout(line, number));
  }

  private nameOf(line: number): string {
    return this.parts.nameLine?.(line) ?? `line ${line}`;
  }

  private note(line: string): void {
    this.context.progress.note(line);
  }
}

function stageOf(outcome: Outcome): 'refused' | 'errored' | 'unfinished' {
  if (outcome === 'refused') return 'refused';
  return UNFINISHED.includes(outcome) ? 'unfinished' : 'errored';
}

/** The error of an outcome for which the service gives none. */
function withoutError(outcome: Outcome): FieldError {
  switch (outcome) {
    case 'cancelled':
      return { code: 'cancelled', attr: '', detail: 'The process was cancelled before it started.' };
    case 'pending':
    case 'in_progress':
    case 'correcting':
      return {
        code: 'unfinished',
        attr: '',
        detail:
          'Accepted, but its process had not ended when the tool stopped waiting. The process continues.',
      };
    default:
      return { code: 'unknown', attr: '', detail: `The outcome is ${outcome}, without an error.` };
  }
}
