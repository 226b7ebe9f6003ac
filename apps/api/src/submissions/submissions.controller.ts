import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { type FieldError, PortageError } from '@portage/domain';
import {
  type AbortedSubmission,
  AbortSubmission,
  type Caller,
  CompleteSubmission,
  type ListedSubmissionView,
  OpenSubmission,
  ReceiveAccounts,
  Submissions,
  type SubmissionView,
  type UploadResult,
} from '@portage/importing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { requireBody } from '../http/json-body';
import { StreamedBody, StreamsBody } from '../http/streamed-body';
import { Draining } from '../operations/draining';
import {
  DescribeAbort,
  DescribeComplete,
  DescribeList,
  DescribeOpen,
  DescribeRead,
  DescribeUpload,
  MAX_PAGE_ROWS,
} from './submissions.openapi';

/** Rows of a page without `limit`. */
const DEFAULT_PAGE_ROWS = 100;

/** Submissions: books of accounts that are uploaded and watched as one unit. */
@Controller('v2/data-import/submissions')
export class SubmissionsController {
  constructor(
    private readonly opening: OpenSubmission,
    private readonly submissions: Submissions,
    private readonly receiving: ReceiveAccounts,
    private readonly completion: CompleteSubmission,
    private readonly abortion: AbortSubmission,
    private readonly draining: Draining,
  ) {}

  @Post()
  @HttpCode(201)
  @DescribeOpen()
  async open(
    @CurrentCaller() caller: Caller,
    @Body() body: Record<string, unknown> | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubmissionView> {
    const { submission, isNew } = await this.opening.open(caller, requireBody(body));
    if (!isNew) void reply.status(200);
    return submission;
  }

  @Get()
  @DescribeList()
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Query() query: Record<string, unknown>,
    @Req() { raw }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListedSubmissionView[]> {
    const { supplier, limit, after } = parseQuery(query);
    const { items, next } = await this.submissions.list(organisationId, supplier, { limit, after });
    if (next !== undefined) {
      const path = (raw.url ?? '').split('?', 1)[0] ?? '';
      const address = `${path}?supplier=${encodeURIComponent(supplier)}&limit=${limit}&after=${next}`;
      void reply.header('Link', `<${address}>; rel="next"`);
    }
    return items;
  }

  @Get(':id')
  @DescribeRead()
  async read(@CurrentCaller() { organisationId }: Caller, @Param('id') id: string): Promise<SubmissionView> {
    return this.submissions.read(organisationId, id);
  }

  @Post(':id/accounts')
  @HttpCode(200)
  @StreamsBody()
  @DescribeUpload()
  async upload(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadResult> {
    if (body === undefined || body === null) {
      await this.submissions.require(caller.organisationId, id);
      throw new PortageError('parse_error', 'The body is empty. Send one account a line.');
    }
    const lines = new StreamedBody(request, reply, () => this.draining.isClosing);
    try {
      return await this.receiving.receive(caller, id, lines);
    } finally {
      lines.close();
    }
  }

  @Post(':id/complete')
  @HttpCode(200)
  @DescribeComplete()
  async complete(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<SubmissionView> {
    return this.completion.complete(caller, id);
  }

  @Post(':id/abort')
  @HttpCode(200)
  @DescribeAbort()
  async abort(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AbortedSubmission> {
    return this.abortion.abort(caller, id);
  }
}

/** @throws PortageError `validation_error` with an error for each invalid parameter */
function parseQuery({ supplier, limit, after }: Record<string, unknown>): {
  supplier: string;
  limit: number;
  after: string | undefined;
} {
  const errors: FieldError[] = [];
  if (typeof supplier !== 'string' || supplier === '')
    errors.push({ attr: 'supplier', code: 'required', detail: 'supplier must be one import supplier code.' });
  const rows = typeof limit === 'string' && /^\d{1,9}$/.test(limit) ? Number(limit) : 0;
  if (limit !== undefined && (rows < 1 || rows > MAX_PAGE_ROWS))
    errors.push({
      attr: 'limit',
      code: 'invalid',
      detail: `limit must be a whole number from 1 to ${MAX_PAGE_ROWS}.`,
    });
  if (after !== undefined && (typeof after !== 'string' || after === ''))
    errors.push({ attr: 'after', code: 'invalid', detail: 'after must be one id of a submission.' });
  if (errors.length > 0)
    throw new PortageError('validation_error', 'A query parameter is not valid.', { errors });
  return {
    supplier: supplier as string,
    limit: limit === undefined ? DEFAULT_PAGE_ROWS : rows,
    after: after as string | undefined,
  };
}
