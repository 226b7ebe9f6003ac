import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { jsonContent } from '../openapi/json-content';

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
      fix: 'Send one account a line, as JSON without line breaks.',
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
};

/** Describes the catalogue of error codes. */
export const DescribeErrorCodes = () =>
  applyDecorators(
    ApiTags('Error codes'),
    ApiSecurity('token'),
    ApiOperation({
      operationId: 'listErrorCodes',
      summary: 'Catalogue of fields, rules and error codes',
      description: 'Explains every code that an error can have, and what its client does.',
    }),
    ApiOkResponse({
      description: 'The catalogue of this release.',
      content: jsonContent('ErrorCatalogue', example),
    }),
  );
