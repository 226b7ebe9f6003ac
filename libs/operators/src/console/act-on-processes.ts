import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type ImportProcessStatus,
  type ProcessSelector,
  SteerImportProcesses,
  type SteeringAction,
  type SteeringTally,
} from '@portage/imports';
import { type Executor, PortageError } from '@portage/platform';
import { isSubmissionId, SubmissionRepository } from '@portage/submissions';
import { decodeCursor, encodeCursor, isId } from './page-cursor';
import { PageReads } from './page-reads';
import type { ActionPreviewView, ActionResultView } from './import-processes.dto';

/** Processes that one call considers. It takes a few seconds. */
const MAX_CONSIDERED = 10_000;
/** Processes that a preview counts: those of one call. 100,000 took more than a second on a busy machine (ADR 0222). */
export const MAX_PREVIEW = MAX_CONSIDERED;

/** The processes that an action is to change. All filters that are present must match. */
export interface ActionSelection {
  status?: ImportProcessStatus | undefined;
  errorCode?: string | undefined;
  submission?: string | undefined;
  first?: number | undefined;
  externalAccountNumbers?: readonly string[] | undefined;
}

/** An action as an operator confirms it. */
export interface ConfirmedAction {
  action: SteeringAction;
  selection: ActionSelection;
  /** The supplier code, as the operator typed it. */
  typedCode: string;
  /** The token of the preview; undefined without one. */
  token: string | undefined;
  cursor: string | undefined;
}

/** Releases, retries and cancels many processes of a supplier in calls of bounded time, after a preview. */
@Injectable()
export class ActOnProcesses {
  constructor(
    private readonly reads: PageReads,
    private readonly submissions: SubmissionRepository,
    private readonly steering: SteerImportProcesses,
  ) {}

  /** How many processes an action would change, or that it would change many. @throws PortageError `not_found`, `operation_refused` */
  async preview(
    code: string,
    action: SteeringAction,
    selection: ActionSelection,
  ): Promise<ActionPreviewView> {
    return this.reads.run(async (reads) => {
      await this.require(code, selection, reads);
      const rows = Math.min(MAX_PREVIEW + 1, selection.first ?? Infinity);
      const { count, examined } = await this.steering.count(action, toSelector(code, selection), rows, reads);
      const isCapped = examined > MAX_PREVIEW;
      return {
        action,
        // One process less, so that "more than" is true also if the last one is not changed.
        count: isCapped ? Math.max(count - 1, 0) : count,
        is_capped: isCapped,
        token: tokenOf(code, action, selection),
      };
    });
  }

  /**
   * Changes the next 10,000 of the selected processes.
   *
   * @throws PortageError `confirmation_required`, `validation_error`, `not_found`, `operation_refused`
   */
  async act(
    code: string,
    { action, selection, typedCode, token, cursor }: ConfirmedAction,
  ): Promise<ActionResultView> {
    const [after, before = '0'] =
      cursor === undefined ? [] : decodeCursor(cursor, 2, (values) => values.every(isId));
    await this.reads.run(async (reads) => this.require(code, selection, reads));
    if (typedCode !== code)
      throw new PortageError('confirmation_required', `Type the supplier code ${code} to confirm.`);
    if (token !== undefined && token !== tokenOf(code, action, selection))
      throw new PortageError(
        'confirmation_required',
        'The preview was of another action or selection. Preview this one.',
      );
    const { first } = selection;
    const limit = Math.min(MAX_CONSIDERED, (first ?? Infinity) - Number(before));
    const tally = await this.steering.steer(action, toSelector(code, selection), { after, limit, first });
    const total = Number(before) + tally.considered;
    const isLimited = first !== undefined && total >= first;
    const next = isLimited ? undefined : tally.last;
    return buildActionResult(action, tally, next === undefined ? null : encodeCursor([next, String(total)]));
  }

  private async require(code: string, { submission }: ActionSelection, reads: Executor): Promise<void> {
    const supplier = await this.reads.requireSupplier(code, reads);
    if (submission === undefined) return;
    const found = isSubmissionId(submission)
      ? await this.submissions.find(undefined, submission, reads)
      : undefined;
    if (found?.supplierId !== supplier.id)
      throw new PortageError('not_found', 'The supplier has no such submission.');
  }
}

/** Builds the result of an action. There is more to do if `cursor` says where, or if the action was stopped. */
export function buildActionResult(
  action: SteeringAction,
  { steered, skipped, withoutJob, isComplete }: SteeringTally,
  cursor: string | null = null,
): ActionResultView {
  return {
    action,
    changed: steered,
    skipped,
    without_job: withoutJob,
    remaining: cursor !== null || !isComplete,
    next_cursor: cursor,
  };
}

function toSelector(
  supplier: string,
  { status, errorCode, submission, externalAccountNumbers }: ActionSelection,
): ProcessSelector {
  return { supplier, status, errorCode, submissionId: submission, externalAccountNumbers };
}

/** Names an action and its selection, so that what is done is what was previewed. It is not a secret. */
function tokenOf(code: string, action: SteeringAction, selection: ActionSelection): string {
  const { status, errorCode, submission, first, externalAccountNumbers } = selection;
  const named = [code, action, status, errorCode, submission, first, externalAccountNumbers].map(
    (value) => value ?? null,
  );
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url').slice(0, 22);
}
