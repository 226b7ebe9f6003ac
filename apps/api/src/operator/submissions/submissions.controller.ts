import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { maskDetail } from '@portage/domain';
import {
  InspectSubmissions,
  type LeftAccount,
  type Page,
  ReconcileSubmission,
  RollBackSubmission,
  type SubmissionDetailView,
  type SubmissionReconciliation,
  type SubmissionResult,
  SubmissionResults,
  type SubmissionSummaryView,
  ViewSubmissions,
} from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendTextStream } from '../../http/json-stream';
import { CSV, NDJSON, toCsv, toNdjson } from '../../submissions/results-format';
import { parseResultsQuery } from '../../submissions/results-query';
import { readBody, readQuery, requireTyped } from '../read-input';
import {
  DescribeAbort,
  DescribeReconciliation,
  DescribeResults,
  DescribeRollback,
  DescribeSubmission,
  DescribeSubmissions,
} from './submissions.openapi';

type Input = Record<string, unknown>;

/** Accounts that one call of a rollback considers: a few seconds. */
const MAX_ROLLBACK_ACCOUNTS = 2_000;

/** Submissions, as operators see and manage them. */
@Controller('operator/v1')
export class OperatorSubmissionsController {
  constructor(
    private readonly views: ViewSubmissions,
    private readonly submissions: InspectSubmissions,
    private readonly reconciliation: ReconcileSubmission,
    private readonly rollback: RollBackSubmission,
    private readonly lines: SubmissionResults,
    private readonly logger: Logger,
  ) {}

  @Get('suppliers/:code/submissions')
  @DescribeSubmissions()
  async list(@Param('code') code: string, @Query() query: Input): Promise<Page<SubmissionSummaryView>> {
    return this.views.list(
      code,
      readQuery(query, (reader) => reader.page()),
    );
  }

  @Get('submissions/:id')
  @DescribeSubmission()
  async read(@Param('id') id: string): Promise<SubmissionDetailView> {
    return this.views.read(id);
  }

  @Get('submissions/:id/reconciliation')
  @DescribeReconciliation()
  async reconcile(@Param('id') id: string): Promise<SubmissionReconciliation> {
    return this.reconciliation.reconcile(id);
  }

  @Get('submissions/:id/results')
  @DescribeResults()
  async results(
    @Param('id') id: string,
    @Query() query: Input,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const format = readQuery(query, (reader) => reader.choice('format', ['csv', 'ndjson']) ?? 'csv');
    const chunks = maskDetails(await this.lines.stream(id, parseResultsQuery(query)));
    const [text, type] =
      format === 'csv'
        ? [toCsv(chunks), `${CSV}; charset=utf-8; header=present`]
        : [toNdjson(chunks), NDJSON];
    void reply.header('Content-Disposition', `attachment; filename="submission-${id}.${format}"`);
    await sendTextStream(text, { type, isNegotiated: false }, request, reply, this.logger);
  }

  @Post('submissions/:id/abort')
  @DescribeAbort()
  async abort(@Param('id') id: string, @Body() body: Input | undefined): Promise<object> {
    const typed = readBody(body, (reader) => {
      reader.only('confirm');
      return reader.text('confirm');
    });
    await this.views.require(id);
    requireTyped(typed, id, 'the id of the submission');
    const { cancelled } = await this.submissions.abortForAWhile(id);
    const submission = await this.views.read(id);
    return { cancelled, remaining: submission.counts.pending > 0, submission };
  }

  @Post('submissions/:id/rollback')
  @DescribeRollback()
  async rollBack(@Param('id') id: string, @Body() body: Input | undefined): Promise<object> {
    const { isDryRun, typed, after } = readBody(body, (reader) => {
      reader.only('dry_run', 'confirm', 'cursor');
      const dryRun = reader.boolean('dry_run');
      if (dryRun === undefined) reader.refuse('dry_run', 'required', 'Enter true or false.');
      return { isDryRun: dryRun ?? true, typed: reader.text('confirm'), after: reader.id('cursor') };
    });
    await this.views.require(id);
    if (!isDryRun) requireTyped(typed, id, 'the id of the submission');
    const total = await this.rollback.count(id);
    const left: LeftAccount[] = [];
    let considered = 0;
    const tally = await this.rollback.rollBack(id, {
      ...{ isDryRun, after, limit: MAX_ROLLBACK_ACCOUNTS },
      onBatch: (count, batch) => {
        considered = count;
        left.push(...batch);
      },
    });
    return {
      ...{ dry_run: isDryRun, total, considered, rolled_back: tally.rolledBack, left: tally.left },
      left_accounts: left.map(({ externalAccountNumber, accountNumber, reason }) => ({
        ...{ external_account_number: externalAccountNumber, account_number: accountNumber, reason },
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
    }));
}
