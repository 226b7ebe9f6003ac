import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RetryDocuments } from '@portage/accounts';
import { ViewDocuments, ViewSuppliers } from '@portage/operators';
import { OperatorEndpoint } from '../operator-endpoint';
import {
  DocumentPage,
  DocumentsQuery,
  RetriedDocuments,
  RetryDocumentsRequest,
  UNSETTLED_STATES,
} from './documents.dto';
import { exampleRetriedDocuments, exampleUnsettledDocument } from './documents.examples';

/** How long one call reopens documents. */
const MAX_RETRY_MS = 20_000;

/** Documents of suppliers in the document store. */
@ApiTags('Documents')
@Controller('operator/v1')
export class OperatorDocumentsController {
  constructor(
    private readonly documents: RetryDocuments,
    private readonly views: ViewSuppliers,
    private readonly lists: ViewDocuments,
  ) {}

  @Get('suppliers/:code/documents')
  @OperatorEndpoint({
    id: 'listDocuments',
    role: 'viewer',
    summary: 'List the missing and refused documents of a supplier, the newest first',
    description: 'One that is being inspected again is not in the list. Paths are masked.',
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'A page of documents.',
    type: DocumentPage,
    example: { items: [exampleUnsettledDocument], next_cursor: null },
  })
  async list(
    @Param('code') code: string,
    @Query() { state, ...page }: DocumentsQuery,
  ): Promise<DocumentPage> {
    return this.lists.list(code, state ? [state] : UNSETTLED_STATES, page);
  }

  @Post('suppliers/:code/documents/retry')
  @OperatorEndpoint({
    id: 'retryDocuments',
    role: 'operator',
    summary: 'Inspect missing and refused documents again',
    description:
      'For up to 20 seconds in a call. While `remaining` is true, call again with `next_cursor`. Safe to repeat.',
    errors: ['validation_error'],
  })
  @ApiBody({
    type: RetryDocumentsRequest,
    examples: { all: { value: {} }, missing: { value: { state: 'MISSING' } } },
  })
  @ApiOkResponse({
    description: 'What this call has scheduled.',
    type: RetriedDocuments,
    example: exampleRetriedDocuments,
  })
  async retry(
    @Param('code') code: string,
    @Body() { state, cursor }: RetryDocumentsRequest,
  ): Promise<RetriedDocuments> {
    await this.views.settings(code);
    const { retried, withoutJob, isComplete, last } = await this.documents.retry(
      code,
      state ? [state] : UNSETTLED_STATES,
      AbortSignal.timeout(MAX_RETRY_MS),
      cursor,
    );
    return {
      retried,
      without_job: withoutJob,
      remaining: !isComplete,
      next_cursor: isComplete ? null : last,
    };
  }
}
