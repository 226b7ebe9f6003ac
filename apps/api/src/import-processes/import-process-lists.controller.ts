import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import type { ListedKind } from '@portage/database';
import { type Caller, ListImportProcesses } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { compressText } from '../http/compression';
import { sendJsonStream } from '../http/json-stream';
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
    supplierCode: string,
    query: Record<string, unknown>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { limit, after, statuses, include } = parseListQuery(query);
    const list = { kind, organisationId, supplierCode, statuses, include, after };
    if (limit === undefined) {
      const chunks = await this.lists.stream(list);
      await sendJsonStream(chunks, request, reply, this.logger, organisationId);
      return;
    }
    const page = await this.lists.page(list, limit);
    if (page.next !== undefined)
      void reply.header('Link', `<${nextPage(request, limit, page.next)}>; rel="next"`);
    void reply.type('application/json; charset=utf-8');
    await reply.send(await compressText(JSON.stringify(page.items), request, reply));
  }
}

/** The address of the next page: the same list with another cursor. */
function nextPage({ raw, query }: FastifyRequest, limit: number, after: string): string {
  const path = (raw.url ?? '').split('?', 1)[0] ?? '';
  const { status, include } = query as { status?: string | string[]; include?: string | string[] };
  const parts = [`limit=${limit}`];
  for (const value of [status ?? []].flat()) parts.push(`status=${encodeURIComponent(value)}`);
  for (const value of [include ?? []].flat()) parts.push(`include=${encodeURIComponent(value)}`);
  return `${path}?${[...parts, `after=${encodeURIComponent(after)}`].join('&')}`;
}
