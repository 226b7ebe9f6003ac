import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiSecurity, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { Logger } from '@portage/platform';
import {
  ReconcileSubmission,
  SubmissionReconciliation,
  SubmissionResult,
  SubmissionResults,
} from '@portage/submissions';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { sendStreamed } from '../http/streamed-answer';
import { CSV, NDJSON, resultsFormatOf, toCsv, toNdjson } from './results-format';
import { exampleCsv, exampleReconciliation, exampleResult } from './submission-results.examples';
import { ResultsQuery } from './submissions.dto';

/** What became of the accounts of a submission: one by one, and in sum. */
@ApiTags('Submissions')
@ApiSecurity('token')
@Controller('v2/data-import/submissions')
export class SubmissionResultsController {
  constructor(
    private readonly results: SubmissionResults,
    private readonly reconciliation: ReconcileSubmission,
    private readonly logger: Logger,
  ) {}

  @Get(':id/results')
  @Endpoint({
    id: 'listSubmissionResults',
    summary: 'List what became of the accounts of a submission',
    description:
      'One row for each account, in the order of arrival, and streamed. NDJSON, or CSV with `Accept: text/csv`. A further line about an account, which was refused or repeats it, has a row of its own with `duplicate_of`: leave those rows out to join by the account number.',
    errors: ['validation_error'],
  })
  @ApiExtraModels(SubmissionResult)
  @ApiOkResponse({
    description: 'The results: one JSON object a line, or CSV with a header.',
    content: {
      [NDJSON]: { schema: { $ref: getSchemaPath(SubmissionResult) }, example: exampleResult },
      [CSV]: { schema: { type: 'string' }, example: exampleCsv },
    },
  })
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Param('id') id: string,
    @Query() { outcome }: ResultsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const [toText, type] =
      resultsFormatOf(request.headers.accept) === 'csv'
        ? [toCsv, `${CSV}; charset=utf-8; header=present`]
        : [toNdjson, NDJSON];
    const read = async (gone: AbortSignal) =>
      toText(await this.results.stream(id, outcome, organisationId, gone));
    await sendStreamed({ type, isNegotiated: true, read }, request, reply, this.logger);
  }

  @Get(':id/reconciliation')
  @Endpoint({
    id: 'reconcileSubmission',
    summary: 'Compare what was expected, received and imported',
    description:
      'Counted in the account tables when it is read, in one state of the database. A million accounts take some seconds.',
  })
  @ApiOkResponse({
    description: 'The reconciliation.',
    type: SubmissionReconciliation,
    example: exampleReconciliation,
  })
  async reconcile(
    @CurrentCaller() { organisationId }: Caller,
    @Param('id') id: string,
  ): Promise<SubmissionReconciliation> {
    return this.reconciliation.reconcile(id, organisationId);
  }
}
