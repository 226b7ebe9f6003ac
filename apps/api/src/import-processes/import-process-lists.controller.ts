import { Readable } from 'node:stream';
import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { ListedKind } from '@portage/database';
import { type Caller, ListImportProcesses, type ListItem } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { DescribeList } from './import-processes.openapi';
import { parseListQuery } from './list-query';

/** The three lists of a supplier's import processes (contract 4.10). Whole lists are streamed in constant memory. */
@Controller('v1/data-import')
export class ImportProcessListsController {
  constructor(
    private readonly lists: ListImportProcesses,
    private readonly logger: Logger,
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
    await this.sendList('all', caller, supplier, query, request, reply);
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
    await this.sendList('pending', caller, supplier, query, request, reply);
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
    await this.sendList('imported', caller, supplier, query, request, reply);
  }

  private async sendList(
    kind: ListedKind,
    { organisationId }: Caller,
    supplier: string,
    query: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { limit, after } = parseListQuery(query);
    void reply.type('application/json; charset=utf-8');
    if (limit === undefined) {
      const chunks = await this.lists.stream(kind, organisationId, supplier, after);
      const text = toJsonArray(chunks);
      // Read before the status 200 is sent, so that an unavailable database is still answered with 503.
      const first = await text.next();
      const list = Readable.from(startingWith(first, text), { objectMode: false });
      // The status 200 has been sent by then, so the response is aborted and does not look complete.
      list.once('error', (error) => {
        this.logger.failure('A list response was aborted.', { requestId: request.id, organisationId, error });
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

/** Continues a generator whose first result has been read. */
async function* startingWith<Item>(
  first: IteratorResult<Item, unknown>,
  rest: AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

/** The text of one JSON array, chunk by chunk. */
async function* toJsonArray(chunks: AsyncIterable<ListItem[]>): AsyncGenerator<string> {
  let separator = '[';
  for await (const items of chunks) {
    yield separator + items.map((item) => JSON.stringify(item)).join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}
