import { Readable } from 'node:stream';
import { Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { CONFIG, type Config } from '@portage/config';
import type { ListedKind } from '@portage/database';
import { type Caller, ListImportProcesses, type ListItem } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { DescribeList } from './import-processes.openapi';
import { listQuery } from './list-query';

/** The three lists of a supplier (contract 4.10), streamed so that memory does not grow with them. */
@Controller('v1/data-import')
export class ImportProcessListsController {
  constructor(
    private readonly lists: ListImportProcesses,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('all-account-import-processes/:supplier')
  @DescribeList('all')
  async all(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer('all', caller, supplier, query, request, reply);
  }

  @Get('pending-account-import-processes/:supplier')
  @DescribeList('pending')
  async pending(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer('pending', caller, supplier, query, request, reply);
  }

  @Get('imported-account-import-processes/:supplier')
  @DescribeList('imported')
  async imported(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.answer('imported', caller, supplier, query, request, reply);
  }

  private async answer(
    kind: ListedKind,
    { organisationId }: Caller,
    supplier: string,
    query: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { limit, after } = listQuery(query, this.config.MAX_LIST_PAGE);
    void reply.type('application/json; charset=utf-8');
    if (limit === undefined) {
      const chunks = await this.lists.stream(kind, organisationId, supplier, after);
      const list = Readable.from(jsonArray(chunks), { objectMode: false });
      // The status has been sent by then: all that can be done is to break off, so that it does not look whole.
      list.once('error', (error) => {
        this.logger.failure('A list broke off.', { requestId: request.id, organisationId, error });
      });
      await reply.send(list);
      return;
    }
    const page = await this.lists.page(kind, organisationId, supplier, limit, after);
    if (page.next !== undefined) {
      const path = (request.raw.url ?? '').split('?', 1)[0] ?? '';
      void reply.header(
        'Link',
        `<${path}?limit=${limit}&after=${encodeURIComponent(page.next)}>; rel="next"`,
      );
    }
    await reply.send(page.items);
  }
}

/** One JSON array out of chunks, written as they come. */
async function* jsonArray(chunks: AsyncIterable<ListItem[]>): AsyncGenerator<string> {
  let text = '[';
  for await (const items of chunks) {
    yield text + items.map((item) => JSON.stringify(item)).join(',');
    text = ',';
  }
  yield text === '[' ? '[]' : ']';
}
