import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOkResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { maskDetail, SubmissionDetailView, ViewRefusedLines, ViewSubmissions } from '@portage/operators';
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
import { OperatorEndpoint } from '../operator-endpoint';
import { requireConfirmation } from '../require-confirmation';
import { exampleSubmissionSummary } from '../overview/overview.examples';
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
import {
  exampleAbortResult,
  exampleReconciliation,
  exampleRefusedLine,
  exampleRollbackResult,
  exampleSubmissionDetail,
  exampleSubmissionResult,
} from './submissions.examples';

/** Accounts that one call of a rollback considers: a few seconds. */
const MAX_ROLLBACK_ACCOUNTS = 2_000;

/** Submissions, as operators see and manage them. */
@ApiTags('Submissions')
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
  @OperatorEndpoint({
    id: 'listSubmissionsAsOperator',
    role: 'viewer',
    summary: 'List the submissions of all suppliers, or of one, the newest first',
    errors: ['validation_error', 'not_found'],
  })
  @ApiOkResponse({
    description: 'A page of submissions.',
    type: SubmissionPage,
    example: { items: [exampleSubmissionSummary], next_cursor: null },
  })
  async list(@Query() { supplier, ...page }: SubmissionsQuery): Promise<SubmissionPage> {
    return this.views.list(supplier, page);
  }

  @Get('suppliers/:code/refused-lines')
  @OperatorEndpoint({
    id: 'listRefusedLines',
    role: 'viewer',
    summary: 'List the refused lines of a supplier, the newest first',
    description:
      'Lines of its submissions that have no account. A line whose account was accepted since is no longer one of them. Values are masked.',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'A page of refused lines.',
    type: RefusedLinePage,
    example: { items: [exampleRefusedLine], next_cursor: null },
  })
  async listRefused(
    @Param('code') code: string,
    @Query() { limit, cursor, error_code: errorCode, ...filter }: RefusedLinesQuery,
  ): Promise<RefusedLinePage> {
    return this.refusedLines.list(code, { ...filter, errorCode }, { limit, cursor });
  }

  @Get('submissions/:id')
  @OperatorEndpoint({
    id: 'readSubmissionDetail',
    role: 'viewer',
    summary: 'Read a submission',
  })
  @ApiOkResponse({
    description: 'The submission.',
    type: SubmissionDetailView,
    example: exampleSubmissionDetail,
  })
  async read(@Param('id') id: string): Promise<SubmissionDetailView> {
    return this.views.read(id);
  }

  @Get('submissions/:id/reconciliation')
  @OperatorEndpoint({
    id: 'readReconciliation',
    role: 'viewer',
    summary: 'Reconcile a submission',
    description:
      'Compares what was expected, received and imported. Computed from the rows: it can take minutes for a large book. Concurrent requests share one computation.',
    errors: ['throttled'],
  })
  @ApiOkResponse({
    description: 'The reconciliation.',
    type: SubmissionReconciliation,
    example: exampleReconciliation,
  })
  async reconcile(@Param('id') id: string): Promise<SubmissionReconciliation> {
    return this.reconciliation.reconcile(id);
  }

  @Get('submissions/:id/results')
  @OperatorEndpoint({
    id: 'downloadResults',
    role: 'viewer',
    summary: 'Download the results of a submission',
    description: 'One line for each account, in the order of arrival, and streamed.',
    errors: ['validation_error'],
  })
  @ApiExtraModels(SubmissionResult)
  @ApiOkResponse({
    description: 'The file.',
    content: {
      'text/csv': {
        schema: { type: 'string' },
        example:
          '"upload","line","external_account_number","outcome","platform_account_number","error_code","errors"\r\n',
      },
      'application/x-ndjson': {
        schema: { $ref: getSchemaPath(SubmissionResult) },
        example: exampleSubmissionResult,
      },
    },
  })
  async results(
    @Param('id') id: string,
    @Query() { format, outcome }: ResultsFileQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [toText, type] =
      format === 'csv' ? [toCsv, `${CSV}; charset=utf-8; header=present`] : [toNdjson, NDJSON];
    const read = async (gone: AbortSignal) => {
      const chunks = await this.lines.stream(id, outcome, undefined, gone);
      void reply.header('Content-Disposition', `attachment; filename="submission-${id}.${format}"`);
      return toText(maskDetails(chunks));
    };
    await sendStreamed({ type, read }, request, reply, this.logger);
  }

  @Post('submissions/:id/abort')
  @OperatorEndpoint({
    id: 'abortSubmissionAsOperator',
    role: 'operator',
    summary: 'Abort a submission',
    description:
      'It takes no more accounts, and accounts that have not begun are cancelled, for up to 20 seconds in a call. While `remaining` is true, call again. Safe to repeat.',
    errors: ['validation_error', 'confirmation_required', 'operation_refused'],
  })
  @ApiBody({ type: AbortRequest, examples: { abort: { value: { confirm: '17' } } } })
  @ApiOkResponse({
    description: 'What this call has cancelled.',
    type: AbortResult,
    example: exampleAbortResult,
  })
  async abort(@Param('id') id: string, @Body() { confirm }: AbortRequest): Promise<AbortResult> {
    await this.submissions.require(undefined, id);
    requireConfirmation(confirm, id, 'the id of the submission');
    const { cancelled } = await this.abortion.abortAsOperator(this.operator.actor, id);
    const submission = await this.views.read(id);
    return { cancelled, remaining: submission.counts.pending > 0, submission };
  }

  @Post('submissions/:id/rollback')
  @OperatorEndpoint({
    id: 'rollBackSubmission',
    role: 'operator',
    summary: 'Roll back a submission',
    description:
      'Deletes the accounts that it has created and that nothing has touched since, at most 2,000 in a call. While `remaining` is true, call again with `next_cursor`. Safe to repeat.',
    errors: ['validation_error', 'confirmation_required', 'operation_refused'],
  })
  @ApiBody({
    type: RollbackRequest,
    examples: {
      'dry-run': { value: { dry_run: true } },
      rollback: { value: { dry_run: false, confirm: '17' } },
    },
  })
  @ApiOkResponse({
    description: 'What this call has done.',
    type: RollbackResult,
    example: exampleRollbackResult,
  })
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

/** Details of errors can have values of accounts. */
async function* maskDetails(chunks: AsyncIterable<SubmissionResult[]>): AsyncGenerator<SubmissionResult[]> {
  for await (const chunk of chunks)
    yield chunk.map((result) => ({
      ...result,
      errors: result.errors.map((error) => ({ ...error, detail: maskDetail(error.detail) })),
      warnings: result.warnings.map(({ code, detail, attr }) => ({ code, detail: maskDetail(detail), attr })),
    }));
}
