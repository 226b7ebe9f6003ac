import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { DocumentView, ListDocuments } from '@portage/accounts';
import { Logger, longestRetriesMs, queueSettings } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller } from '../http/caller';
import { Endpoint } from '../http/endpoint';
import { sendJsonList } from '../http/streamed-answer';
import { DocumentsQuery, STATES } from './documents.dto';

const lookupHours = () => Math.ceil(longestRetriesMs(queueSettings.documents) / 3_600_000);

/** The documents of a supplier that are not stored. */
@ApiTags('Documents')
@ApiSecurity('token')
@Controller('v2/data-import/documents')
export class DocumentsController {
  constructor(
    private readonly documents: ListDocuments,
    private readonly logger: Logger,
  ) {}

  @Get(':supplier')
  @Endpoint({
    id: 'listDocuments',
    summary: 'List documents that are missing or refused',
    description: `Documents of imported accounts that are not stored, from the moment of the import on: the missing ones first, then those that were not found so far, then those that are not what they should be. Each part is ordered by external account number. Streamed. A document is looked for ${queueSettings.documents.attempts} times in up to ${lookupHours()} hours after its account was imported, and is missing then, until an operator has it looked for again or a request names it.`,
    errors: ['validation_error'],
  })
  @ApiOkResponse({
    description: 'The list.',
    type: [DocumentView],
    example: [
      {
        external_account_number: 'A-100231',
        platform_account_number: 'A-9c41e07b',
        document_path: 'A-100231/letters/2024-04-11.pdf',
        kind: 'note',
        state: 'MISSING',
        error_code: 'path_does_not_exist_in_file_store',
        inspected_at: '2026-11-22T09:30:00.189012+00:00',
      },
    ],
  })
  async list(
    @CurrentCaller() { organisationId }: Caller,
    @Param('supplier') supplier: string,
    @Query() { state = STATES }: DocumentsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const read = async (gone: AbortSignal) => this.documents.stream(organisationId, supplier, state, gone);
    await sendJsonList(read, request, reply, this.logger);
  }
}
