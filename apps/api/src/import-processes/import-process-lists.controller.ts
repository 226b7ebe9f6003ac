import { applyDecorators, Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { type ListedKind, ListImportProcesses, ListItem } from '@portage/imports';
import { Logger } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { compressText } from '../http/compression';
import { Endpoint } from '../http/endpoint';
import { linkNextPage } from '../http/next-page';
import { JSON_TYPE, sendJsonList } from '../http/streamed-answer';
import { LinksNextPage } from '../openapi/answer-headers';
import { ListQuery } from './import-processes.dto';

const pendingItem = {
  external_account_number: 'A-100232',
  platform_account_number: null,
  account_created_at: null,
};
const importedItem = {
  external_account_number: 'A-100231',
  platform_account_number: 'A-9c41e07b',
  account_created_at: '2026-11-21T09:30:00Z',
};

const ListEndpoint = (id: string, summary: string, example: object[]) =>
  applyDecorators(
    Endpoint({
      id,
      summary,
      description: 'In the order of creation. Without `limit` the whole list is streamed.',
      errors: ['validation_error'],
      kind: 'lists',
    }),
    LinksNextPage(),
    ApiOkResponse({ description: 'The list.', type: [ListItem], example }),
  );

/**
 * The three lists of a supplier's import processes (contract, "List imports"). Whole lists are streamed in constant
 * memory.
 */
@ApiTags('Import processes')
@ApiSecurity('token')
@Controller('v1/data-import')
export class ImportProcessListsController {
  constructor(
    private readonly lists: ListImportProcesses,
    private readonly logger: Logger,
  ) {}

  @Get('all-account-import-processes/:supplier')
  @ListEndpoint('listAllImportProcesses', 'List all import processes that are not cancelled', [
    importedItem,
    pendingItem,
  ])
  async all(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Query() query: ListQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendList('all', caller, supplier, query, request, reply);
  }

  @Get('pending-account-import-processes/:supplier')
  @ListEndpoint('listPendingImportProcesses', 'List import processes without an account', [pendingItem])
  async pending(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Query() query: ListQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendList('pending', caller, supplier, query, request, reply);
  }

  @Get('imported-account-import-processes/:supplier')
  @ListEndpoint('listImportedImportProcesses', 'List imported accounts', [importedItem])
  async imported(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Query() query: ListQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendList('imported', caller, supplier, query, request, reply);
  }

  private async sendList(
    kind: ListedKind,
    { organisationId }: Caller,
    supplierCode: string,
    { limit, after, status: statuses, include = [] }: ListQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const list = { kind, organisationId, supplierCode, statuses, include, after };
    if (limit === undefined) {
      await sendJsonList(async (gone) => this.lists.stream(list, gone), request, reply, this.logger);
      return;
    }
    const page = await this.lists.page(list, limit);
    if (page.next !== undefined) linkNextPage(reply, request, limit, page.next);
    void reply.type(JSON_TYPE);
    await reply.send(await compressText(JSON.stringify(page.items), request, reply));
  }
}
