import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
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

/** How long one call reopens documents. */
const MAX_RETRY_MS = 20_000;

/** Documents of suppliers in the document store. */
@Controller('operator/v1')
export class OperatorDocumentsController {
  constructor(
    private readonly documents: RetryDocuments,
    private readonly views: ViewSuppliers,
    private readonly lists: ViewDocuments,
  ) {}

  /** One that is being inspected again is not in the list. Paths are masked. */
  @Get('suppliers/:code/documents')
  @OperatorEndpoint('viewer')
  async list(
    @Param('code') code: string,
    @Query() { state, ...page }: DocumentsQuery,
  ): Promise<DocumentPage> {
    return this.lists.list(code, state ? [state] : UNSETTLED_STATES, page);
  }

  /** For up to 20 seconds in a call. While `remaining` is true, call again with `next_cursor`. Safe to repeat. */
  @Post('suppliers/:code/documents/retry')
  @OperatorEndpoint('operator')
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
