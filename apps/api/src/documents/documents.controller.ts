import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { type Caller, ListDocuments } from '@portage/importing';
import { Logger } from '@portage/observability';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { sendJsonStream } from '../http/json-stream';
import { parseDocumentsQuery } from './documents-query';
import { DescribeDocuments } from './documents.openapi';

/** The documents of a supplier that were not found or not accepted. */
@Controller('v2/data-import/documents')
export class DocumentsController {
  constructor(
    private readonly documents: ListDocuments,
    private readonly logger: Logger,
  ) {}

  @Get(':supplier')
  @DescribeDocuments()
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Param('supplier') supplier: string,
    @Query() query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const chunks = await this.documents.stream(organisationId, supplier, parseDocumentsQuery(query));
    await sendJsonStream(chunks, request, reply, this.logger, organisationId);
  }
}
