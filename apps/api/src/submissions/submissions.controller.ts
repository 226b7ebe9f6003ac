import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { PortageError } from '@portage/platform';
import {
  AbortedSubmission,
  AbortSubmission,
  CompleteSubmission,
  ListedSubmissionView,
  OpenSubmission,
  ReceiveAccounts,
  ReceiveAdditions,
  Submissions,
  SubmissionView,
  UploadResult,
} from '@portage/submissions';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { linkNextPage } from '../http/next-page';
import { StreamedBody } from '../http/streamed-body';
import { Draining } from '../health/draining';
import { LinksNextPage } from '../openapi/answer-headers';
import { AnswersError } from '../openapi/errors.dto';
import { OpenSubmissionRequest, SubmissionsQuery } from './submissions.dto';
import {
  exampleAdditions,
  exampleLines,
  exampleListed,
  exampleOpened,
  exampleSubmission,
} from './submissions.examples';
import { UploadsLines } from './uploads-lines';

/** Submissions: books of accounts that are uploaded and watched as one unit. */
@ApiTags('Submissions')
@ApiSecurity('token')
@Controller('v2/data-import/submissions')
export class SubmissionsController {
  constructor(
    private readonly opening: OpenSubmission,
    private readonly submissions: Submissions,
    private readonly receiving: ReceiveAccounts,
    private readonly receivingAdditions: ReceiveAdditions,
    private readonly completion: CompleteSubmission,
    private readonly abortion: AbortSubmission,
    private readonly draining: Draining,
  ) {}

  @Post()
  @HttpCode(201)
  @Endpoint({
    id: 'openSubmission',
    summary: 'Open a submission',
    description:
      'A book of accounts, or of additions to imported accounts, that is uploaded, watched and reconciled as one unit. `task_params` apply to each of its lines. Safe to repeat with the same body.',
    errors: [
      'validation_error',
      'submission_reference_already_exists',
      'import_supplier_migration_not_ongoing',
      'quota_reached',
    ],
    importParameters: 'class',
  })
  @ApiBody({
    type: OpenSubmissionRequest,
    examples: {
      submission: {
        value: {
          import_supplier: 'DEMO',
          reference: 'book-2026-11',
          expected: { accounts: 20000, opening_balance: '-1234567.89' },
        },
      },
    },
  })
  @ApiCreatedResponse({
    description: 'The submission is open.',
    type: SubmissionView,
    example: exampleOpened,
  })
  @ApiOkResponse({
    description: 'An earlier request with the same body has opened it.',
    type: SubmissionView,
    example: exampleSubmission,
  })
  @AnswersError(400, 'The submission is not valid, or its reference is taken.')
  async open(
    @CurrentCaller() caller: Caller,
    @Body() body: OpenSubmissionRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubmissionView> {
    const { submission, isNew } = await this.opening.open(caller, body);
    if (!isNew) void reply.status(200);
    return submission;
  }

  @Get()
  @Endpoint({
    id: 'listSubmissions',
    summary: 'List the submissions of a supplier',
    description: 'Newest first, 100 on a page unless `limit` says otherwise.',
    errors: ['validation_error'],
    notFound: 'There is no such import supplier.',
  })
  @LinksNextPage()
  @ApiOkResponse({
    description: 'A page of the list.',
    type: [ListedSubmissionView],
    example: [exampleListed],
  })
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Query() { supplier, limit, after, reference }: SubmissionsQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListedSubmissionView[]> {
    const { items, next } = await this.submissions.list(organisationId, supplier, {
      limit,
      after,
      reference,
    });
    if (next !== undefined) linkNextPage(reply, request, limit, next);
    return items;
  }

  @Get(':id')
  @Endpoint({
    id: 'readSubmission',
    summary: 'State and counts of a submission',
    description: 'The counts are at most one second old.',
  })
  @ApiOkResponse({ description: 'The submission.', type: SubmissionView, example: exampleSubmission })
  async read(@CurrentCaller() { organisationId }: Caller, @Param('id') id: string): Promise<SubmissionView> {
    return this.submissions.read(organisationId, id);
  }

  @UploadsLines({
    path: 'accounts',
    id: 'uploadAccounts',
    summary: 'Upload accounts, one a line',
    description:
      'The body has one account a line, is of any length and may be compressed with gzip. Lines are validated, stored and enqueued while it is read. A line that is refused does not end the upload. Safe to repeat: a line whose account was accepted with the same content is counted as repeated, and one whose account was imported before with it as unchanged.',
    body: 'One account a line, each a JSON object. Blank lines are skipped. A generated client has to send the text as it is: those that serialise every body as JSON need an option (the supplier\'s guide, "Other generators").',
    lines: exampleLines,
    result: {
      lines: 20077,
      accepted: 20000,
      refused: 13,
      repeated: 64,
      unchanged: 0,
      corrections: 0,
      ignored_fields: { 'customers.*.nick_name': 12 },
    },
  })
  async upload(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadResult> {
    return this.receive(caller, id, body, request, reply, this.receiving);
  }

  @UploadsLines({
    path: 'additions',
    id: 'uploadAdditions',
    summary: 'Upload additions to imported accounts, one a line',
    description:
      'For a submission of the kind `additions`. A line has one of `notes`, `transactions`, `historical_statements` and `payment_instruction`, with the body of its endpoint; `check_previously_added` and `force_add_to_current_statement` beside `transactions` are the query parameters of theirs. The additions of an account are performed in the order of their lines; a line that fails does not hold up later ones. Payment instructions wait for their vendors, and hold up nothing else. Safe to repeat: a line that was accepted before is counted as repeated.',
    body: 'One addition a line, each a JSON object. Blank lines are skipped.',
    lines: exampleAdditions,
    result: {
      lines: 80000,
      accepted: 79990,
      refused: 4,
      repeated: 6,
      unchanged: 0,
      corrections: 0,
      ignored_fields: {},
    },
  })
  async uploadAdditions(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadResult> {
    return this.receive(caller, id, body, request, reply, this.receivingAdditions);
  }

  @Post(':id/complete')
  @HttpCode(200)
  @Endpoint({
    id: 'completeSubmission',
    summary: 'Complete a submission: nothing more will be uploaded',
    description: 'Safe to repeat. An upload that is in progress ends with an error.',
    errors: ['submission_not_open'],
  })
  @ApiOkResponse({ description: 'The submission.', type: SubmissionView, example: exampleSubmission })
  @AnswersError(400, 'The submission was aborted.')
  async complete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SubmissionView> {
    return this.completion.complete(caller, id);
  }

  @Post(':id/abort')
  @HttpCode(200)
  @Endpoint({
    id: 'abortSubmission',
    summary: 'Abort a submission: cancel whatever has not begun',
    description:
      'Accounts that wait for their release are cancelled too. Accounts that are being imported end by themselves, and imported ones stay. Safe to repeat. What 20 seconds do not suffice for is cancelled within a minute afterwards.',
  })
  @ApiOkResponse({
    description: 'The submission is aborted, unless it had finished.',
    type: AbortedSubmission,
    example: { cancelled: 9120, submission: { ...exampleSubmission, status: 'ABORTED' } },
  })
  async abort(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AbortedSubmission> {
    return this.abortion.abort(caller, id);
  }

  private async receive(
    caller: Caller,
    id: string,
    body: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
    receiving: ReceiveAccounts | ReceiveAdditions,
  ): Promise<UploadResult> {
    if (body === undefined || body === null) {
      await this.submissions.require(caller.organisationId, id);
      throw new PortageError('parse_error', 'The body is empty. Send one JSON object a line.');
    }
    const lines = new StreamedBody(request, reply, () => this.draining.isClosing);
    try {
      return await receiving.receive(caller, id, lines);
    } finally {
      lines.close();
    }
  }
}
