import { Body, Controller, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiCreatedResponse,
  ApiHeader,
  ApiOkResponse,
  ApiParam,
  ApiSecurity,
  ApiTags,
} from '@nestjs/swagger';
import { DocumentView, ListDocuments, UploadDocument, UploadedDocumentView } from '@portage/accounts';
import { Logger, maxTotalBackoffMs, queueSettings } from '@portage/platform';
import type { Caller } from '@portage/tenants';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Draining } from '../health/draining';
import { contentLengthOf } from '../http/admission/read-body';
import { CurrentCaller } from '../http/caller';
import { compressText } from '../http/compression';
import { Endpoint } from '../http/endpoint';
import { linkNextPage } from '../http/next-page';
import { JSON_TYPE, sendJsonList } from '../http/streamed-answer';
import { PDF_MEDIA_TYPE, StreamedBody, StreamsBody } from '../http/streamed-body';
import { LinksNextPage } from '../openapi/answer-headers';
import { AnswersError } from '../openapi/errors.dto';
import { readContentDigest } from './content-digest';
import { DocumentsQuery, STATES } from './documents.dto';
import { readDocument } from './read-document';

const lookupHours = () => Math.ceil(maxTotalBackoffMs(queueSettings.documents) / 3_600_000);

/** Rows of a page whose request says where to read on and not how far. */
const DEFAULT_PAGE_ROWS = 100;

const exampleUploaded = {
  document_path: 'A-100231/2024-05.pdf',
  size: 48213,
  sha256: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
  outcome: 'CREATED',
} as const;

/** The documents of a supplier: those that are not stored, and uploads of PDFs. */
@ApiTags('Documents')
@ApiSecurity('token')
@Controller('v2/data-import/documents')
export class DocumentsController {
  constructor(
    private readonly documents: ListDocuments,
    private readonly uploading: UploadDocument,
    private readonly draining: Draining,
    private readonly logger: Logger,
  ) {}

  @Get(':supplier')
  @Endpoint({
    id: 'listDocuments',
    summary: 'List documents that are missing or refused',
    description: `Documents of imported accounts that are not stored, from the moment of the import on: the missing ones first, then those that were not found so far, then those that are not what they should be. Each part is ordered by external account number. Without a limit the whole list is streamed. A document is looked for ${queueSettings.documents.attempts} times in up to ${lookupHours()} hours after its account was imported, and is missing then, until an operator has it looked for again or a request names it.`,
    errors: ['validation_error'],
  })
  @LinksNextPage()
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
    @Query() { state = STATES, limit, after }: DocumentsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (limit === undefined && after === undefined) {
      const read = async (gone: AbortSignal) => this.documents.stream(organisationId, supplier, state, gone);
      await sendJsonList(read, request, reply, this.logger);
      return;
    }
    const rows = limit ?? DEFAULT_PAGE_ROWS;
    const page = await this.documents.page(organisationId, supplier, state, { limit: rows, after });
    if (page.next !== undefined) linkNextPage(reply, request, rows, page.next);
    void reply.type(JSON_TYPE);
    await reply.send(await compressText(JSON.stringify(page.items), request, reply));
  }

  @Put(':supplier/*')
  @StreamsBody(PDF_MEDIA_TYPE)
  @Endpoint({
    id: 'uploadDocument',
    summary: 'Upload the PDF of a statement or a note',
    description:
      'Stores a PDF below the document root of the supplier, under the path that statements and notes name it by; folders need not exist. It is visible once all of it has arrived and was checked; otherwise nothing is stored. Documents of accounts that were missing, refused or not found so far are STORED then. Safe to repeat. A document with other content is replaced as long as no account has recorded it.',
    errors: [
      'validation_error',
      'content_digest_mismatch',
      'document_already_used',
      'document_is_not_a_pdf',
      'upload_stalled',
    ],
    kind: 'uploads',
  })
  @ApiParam({ name: 'path', type: String })
  @ApiConsumes(PDF_MEDIA_TYPE)
  @ApiBody({
    description: 'The bytes of the PDF. It begins with `%PDF-` and ends with `%%EOF`.',
    schema: { type: 'string', contentMediaType: PDF_MEDIA_TYPE } as object,
  })
  @ApiHeader({
    name: 'Content-Digest',
    required: false,
    description: 'SHA-256 of the body: `sha-256=:BASE64:` (RFC 9530). A body that differs is refused.',
  })
  @ApiCreatedResponse({
    description: 'The document is stored.',
    type: UploadedDocumentView,
    example: exampleUploaded,
  })
  @ApiOkResponse({
    description: 'The document was there with the same content, or has replaced one that no account had.',
    type: UploadedDocumentView,
    example: { ...exampleUploaded, outcome: 'EXISTING' },
  })
  @AnswersError(400, 'The path, the digest or the body is not valid. Nothing was stored.')
  @AnswersError(409, 'An account has a document of this path with other content.')
  @AnswersError(413, 'The document is too large. Nothing was stored.')
  @AnswersError(415, 'The body is not a PDF, or is encoded. Nothing was stored.')
  async upload(
    @CurrentCaller() caller: Caller,
    @Param('supplier') supplier: string,
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadedDocumentView> {
    const sha256 = readContentDigest(request.headers['content-digest']);
    const streamed =
      body === undefined || body === null
        ? undefined
        : new StreamedBody(request, reply, () => this.draining.isClosing);
    try {
      const uploaded = await this.uploading.upload(caller, supplier, {
        // The router names the rest of an address so.
        path: (request.params as { '*': string })['*'],
        content: readDocument(streamed),
        announcedSize: contentLengthOf(request),
        sha256,
      });
      void reply.status(uploaded.outcome === 'CREATED' ? 201 : 200);
      return uploaded;
    } finally {
      streamed?.close();
    }
  }
}
