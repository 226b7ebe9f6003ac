import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ImportSuppliers, RetryDocuments, ViewSuppliers } from '@portage/importing';
import { readBody } from '../read-input';
import { DescribeDocumentRoots, DescribeRetryDocuments, UNSETTLED_STATES } from './documents.openapi';

type Input = Record<string, unknown>;

/** How long one call reopens documents. */
const MAX_RETRY_MS = 20_000;

interface DocumentRootView {
  import_supplier: string;
  document_root: string;
  previous_document_root: string | null;
  conflicts_with: string[];
}

/** Documents of suppliers in the document store. */
@Controller('operator/v1')
export class OperatorDocumentsController {
  constructor(
    private readonly documents: RetryDocuments,
    private readonly suppliers: ImportSuppliers,
    private readonly views: ViewSuppliers,
  ) {}

  @Get('document-roots')
  @DescribeDocumentRoots()
  async roots(): Promise<{ items: DocumentRootView[] }> {
    const roots = await this.suppliers.documentRoots();
    return {
      items: roots.map(({ code, documentRoot, previousDocumentRoot, conflicts }) => ({
        import_supplier: code,
        document_root: documentRoot,
        previous_document_root: previousDocumentRoot,
        conflicts_with: conflicts,
      })),
    };
  }

  @Post('suppliers/:code/documents/retry')
  @DescribeRetryDocuments()
  async retry(@Param('code') code: string, @Body() body: Input | undefined): Promise<object> {
    const { state, cursor } = readBody(body, (reader) => {
      reader.only('state', 'cursor');
      return { state: reader.choice('state', UNSETTLED_STATES), cursor: reader.id('cursor') };
    });
    await this.views.settings(code);
    const { retried, withoutJob, isComplete, last } = await this.documents.retry(
      code,
      state ? [state] : UNSETTLED_STATES,
      AbortSignal.timeout(MAX_RETRY_MS),
      cursor,
    );
    return {
      ...{ retried, without_job: withoutJob, remaining: !isComplete },
      next_cursor: isComplete ? null : last,
    };
  }
}
