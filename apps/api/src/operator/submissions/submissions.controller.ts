import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  canReadPayloads,
  type SignedInOperator,
  SubmissionDetailView,
  ViewRefusedLines,
  ViewSubmissions,
} from '@portage/operators';
import { ActingOperator, Logger } from '@portage/platform';
import {
  AbortSubmission,
  type LeftAccount,
  ReconcileSubmission,
  RollBackSubmission,
  SubmissionReconciliation,
  SubmissionResult,
  SubmissionResults,
  Submissions,
} from '@portage/submissions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendStreamed } from '../../http/streamed-answer';
import { CSV, NDJSON, toCsv, toNdjson } from '../../submissions/results-format';
import { CurrentOperator } from '../current-operator';
import { OperatorEndpoint } from '../operator-endpoint';
import { requireConfirmation } from '../require-confirmation';
import {
  AbortRequest,
  AbortResult,
  RefusedLinePage,
  RefusedLinesQuery,
  ResultsFileQuery,
  RollbackRequest,
  RollbackResult,
  SubmissionPage,
  SubmissionsQuery,
} from './submissions.dto';

/** Accounts that one call of a rollback considers: a few seconds. */
const MAX_ROLLBACK_ACCOUNTS = 2_000;

/** Submissions, as operators see and manage them. */
@Controller('operator/v1')
export class OperatorSubmissionsController {
  constructor(
    private readonly views: ViewSubmissions,
    private readonly refusedLines: ViewRefusedLines,
    private readonly submissions: Submissions,
    private readonly abortion: AbortSubmission,
    private readonly reconciliation: ReconcileSubmission,
    private readonly rollback: RollBackSubmission,
    private readonly lines: SubmissionResults,
    private readonly operator: ActingOperator,
    private readonly logger: Logger,
  ) {}

  @Get('submissions')
  @OperatorEndpoint('viewer')
  async list(@Query() { supplier, kind, ...page }: SubmissionsQuery): Promise<SubmissionPage> {
    return this.views.list(supplier, page, kind);
  }

  /**
   * Lines of its submissions that have no account. A line whose account was accepted since is no longer one of them.
   * The sentences of errors are for roles that may read payloads.
   */
  @Get('suppliers/:code/refused-lines')
  @OperatorEndpoint('viewer')
  async listRefused(
    @Param('code') code: string,
    @Query() { limit, cursor, error_code: errorCode, ...filter }: RefusedLinesQuery,
    @CurrentOperator() { role }: SignedInOperator,
  ): Promise<RefusedLinePage> {
    return this.refusedLines.list(code, { ...filter, errorCode }, { limit, cursor }, canReadPayloads(role));
  }

  @Get('submissions/:id')
  @OperatorEndpoint('viewer')
  async read(@Param('id') id: string): Promise<SubmissionDetailView> {
    return this.views.read(id);
  }

  /**
   * Compares what was expected, received and imported. Computed from the rows: it can take minutes for a large book.
   * Concurrent requests share one computation.
   */
  @Get('submissions/:id/reconciliation')
  @OperatorEndpoint('viewer')
  async reconcile(@Param('id') id: string): Promise<SubmissionReconciliation> {
    return this.reconciliation.reconcile(id);
  }

  /**
   * One line for each account, in the order of arrival, and streamed. Sentences are for roles that may read payloads. The
   * values of changes are left out: the audit records who reads those of a correction.
   */
  @Get('submissions/:id/results')
  @OperatorEndpoint('viewer')
  async results(
    @Param('id') id: string,
    @Query() { format, outcome }: ResultsFileQuery,
    @CurrentOperator() { role }: SignedInOperator,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [toText, type] =
      format === 'csv' ? [toCsv, `${CSV}; charset=utf-8; header=present`] : [toNdjson, NDJSON];
    const read = async (gone: AbortSignal) => {
      const chunks = await this.lines.stream(id, outcome, undefined, gone);
      void reply.header('Content-Disposition', `attachment; filename="submission-${id}.${format}"`);
      return toText(withoutValues(chunks, canReadPayloads(role)));
    };
    await sendStreamed({ type, read }, request, reply, this.logger);
  }

  /**
   * It takes no more accounts, and accounts that have not begun are cancelled, for up to 20 seconds in a call. While
   * `remaining` is true, call again. Safe to repeat.
   */
  @Post('submissions/:id/abort')
  @OperatorEndpoint('operator')
  async abort(@Param('id') id: string, @Body() { confirm }: AbortRequest): Promise<AbortResult> {
    await this.submissions.require(undefined, id);
    requireConfirmation(confirm, id, 'the id of the submission');
    const { cancelled } = await this.abortion.abortAsOperator(this.operator.actor, id);
    const submission = await this.views.read(id);
    return { cancelled, remaining: submission.counts.pending > 0, submission };
  }

  /**
   * Deletes the accounts that it has created and that nothing has touched since, at most 2,000 in a call. While
   * `remaining` is true, call again with `next_cursor`. Safe to repeat.
   */
  @Post('submissions/:id/rollback')
  @OperatorEndpoint('operator')
  async rollBack(
    @Param('id') id: string,
    @Body() { dry_run: isDryRun, confirm, cursor: after }: RollbackRequest,
  ): Promise<RollbackResult> {
    await this.submissions.require(undefined, id);
    if (!isDryRun) requireConfirmation(confirm, id, 'the id of the submission');
    const total = await this.rollback.count(id);
    const left: LeftAccount[] = [];
    let considered = 0;
    const tally = await this.rollback.rollBack(id, {
      isDryRun,
      after,
      limit: MAX_ROLLBACK_ACCOUNTS,
      onBatch: (count, batch) => {
        considered = count;
        for (const account of batch) left.push(account);
      },
    });
    return {
      dry_run: isDryRun,
      total,
      considered,
      rolled_back: tally.rolledBack,
      left: tally.left,
      left_accounts: left.map(({ externalAccountNumber, accountNumber, reason }) => ({
        external_account_number: externalAccountNumber,
        platform_account_number: accountNumber,
        reason,
      })),
      remaining: !tally.isComplete,
      next_cursor: tally.isComplete ? null : (tally.last ?? null),
    };
  }
}

async function* withoutValues(
  chunks: AsyncIterable<SubmissionResult[]>,
  hasSentences: boolean,
): AsyncGenerator<SubmissionResult[]> {
  const withoutSentence = <Finding extends { detail: string }>(finding: Finding) =>
    hasSentences ? finding : { ...finding, detail: '' };
  for await (const chunk of chunks)
    yield chunk.map((result) => ({
      ...result,
      errors: result.errors.map(withoutSentence),
      warnings: result.warnings.map(withoutSentence),
      changes: result.changes.map(({ path }) => ({ path, from: null, to: null })),
    }));
}
