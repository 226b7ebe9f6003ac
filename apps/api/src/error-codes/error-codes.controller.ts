import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { buildCatalogue } from '@portage/account-schema';
import { ERROR_CODES } from '@portage/platform';
import { LINE_ERROR_CODES } from '@portage/submissions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Endpoint } from '../http/endpoint';
import { sendDocument, type StoredFile, storeFile } from '../http/stored-file';
import { JSON_TYPE } from '../http/streamed-answer';
import { ErrorCatalogue } from './error-codes.dto';

const example = {
  error_codes: [
    {
      code: 'token_expired',
      status: 401,
      explanation: 'The token has expired.',
      fix: 'Obtain a new token and repeat the request.',
    },
  ],
  line_codes: [
    {
      code: 'line_not_json',
      explanation: 'The line is not one JSON object in UTF-8.',
      fix: 'Send one account or one addition a line, as JSON without line breaks.',
    },
  ],
  field_codes: [
    {
      code: 'blank',
      explanation: 'A required text is empty or blank.',
      fix: 'Send a text that is not blank.',
    },
  ],
  fields: [
    {
      object: 'Customer',
      field: 'landline',
      required: false,
      schema: { type: 'string', description: 'Landline number.' },
      error_codes: ['null', 'invalid', 'invalid_phone_number'],
    },
  ],
  rules: [
    {
      code: 'metadata_has_duplicate_keys',
      paths: ['metadata', 'customers.<i>.metadata'],
      explanation: 'Metadata is stored by key, so a repeated key would overwrite a value.',
      fix: 'Correct `metadata` or `customers.<i>.metadata`; the detail of the error names the value. Leave an optional field out if it does not apply.',
      profiles: ['core', 'gb-energy'],
      needs: [],
    },
  ],
  warnings: [
    {
      code: 'reading_below_zero',
      paths: ['… .meters.<k>.transfer_readings.<l>.reading_value'],
      explanation: 'A register counts upwards from zero.',
      fix: 'Send the value that the register showed.',
    },
  ],
};

/** The catalogue of fields, rules, warnings and error codes, with explanations and corrections. It is the same for everyone. */
@ApiTags('Error codes')
@ApiSecurity('token')
@Controller('v2/data-import/error-codes')
export class ErrorCodesController {
  /** Built at the first request. It depends on nothing but the release. */
  private catalogue: StoredFile | undefined;

  @Get()
  @Endpoint({
    id: 'listErrorCodes',
    summary: 'Catalogue of fields, rules, warnings and error codes',
    description: 'Explains every code that an error or a warning can have, and what its client does.',
  })
  @ApiOkResponse({ description: 'The catalogue of this release.', type: ErrorCatalogue, example })
  @ApiResponse({ status: 304, description: 'The catalogue has the `ETag` that `If-None-Match` names.' })
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.catalogue ??= storeFile(JSON_TYPE, JSON.stringify(buildErrorCatalogue()));
    sendDocument(this.catalogue, request, reply);
  }
}

function buildErrorCatalogue(): object {
  const codes = Object.entries(ERROR_CODES)
    .filter(([, { isOperators }]) => !isOperators)
    .map(([code, entry]) => ({ code, ...entry }));
  const lines = Object.entries(LINE_ERROR_CODES).map(([code, texts]) => ({ code, ...texts }));
  return { error_codes: codes, line_codes: lines, ...buildCatalogue() };
}
