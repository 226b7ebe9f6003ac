import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import {
  type Caller,
  ReconcileSubmission,
  type SubmissionReconciliation,
  SubmissionResults,
} from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { sendTextStream } from '../http/json-stream';
import { CSV, NDJSON, resultsFormatOf, toCsv, toNdjson } from './results-format';
import { parseResultsQuery } from './results-query';
import { DescribeReconciliation, DescribeResults } from './submission-results.openapi';

/** What became of the accounts of a submission: one by one, and in sum. */
@Controller('v2/data-import/submissions')
export class SubmissionResultsController {
  constructor(
    private readonly results: SubmissionResults,
    private readonly reconciliation: ReconcileSubmission,
    private readonly logger: Logger,
  ) {}

  @Get(':id/results')
  @DescribeResults()
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Param('id') id: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const chunks = await this.results.stream(id, parseResultsQuery(query), organisationId);
    const [text, type] =
      resultsFormatOf(request.headers.accept) === 'csv'
        ? [toCsv(chunks), `${CSV}; charset=utf-8; header=present`]
        : [toNdjson(chunks), NDJSON];
    await sendTextStream(text, { type, isNegotiated: true }, request, reply, this.logger, organisationId);
  }

  @Get(':id/reconciliation')
  @DescribeReconciliation()
  async reconcile(
    @CurrentCaller() { organisationId }: Caller,
    @Param('id') id: string,
  ): Promise<SubmissionReconciliation> {
    return this.reconciliation.reconcile(id, organisationId);
  }
}
