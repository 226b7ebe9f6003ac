import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { errorResponse } from '../openapi/error-responses';
import { jsonContent } from '../openapi/json-content';

const example = {
  code: 'DEMO',
  status: 'Ongoing',
  region: 'GB',
  currency: 'GBP',
  time_zone: 'Europe/London',
  creation_mode: 'direct',
  profile: 'core',
  document_root: 'demo',
  verify_documents: false,
  reject_undocumented_fields: false,
  send_migration_emails: false,
  retain_payload_days: null,
  v1_error_format: 'standard',
  max_processing_accounts: null,
  auto_allocate_operations_team: true,
  rule_settings: {},
  limits: { max_body_bytes: 10_000_000, max_array_items: 10_000, max_errors: 1_000 },
  created_at: '2026-11-21T09:30:00.123456+00:00',
};

/** Describes the profile of a supplier. */
export const DescribeSupplierProfile = () =>
  applyDecorators(
    ApiTags('Suppliers'),
    ApiSecurity('token'),
    ApiOperation({
      operationId: 'readSupplier',
      summary: 'Status and settings of an import supplier',
      description:
        'The settings that decide how its accounts are read and imported. The operator changes them.',
    }),
    ApiParam({ name: 'supplier', description: 'Import supplier code', example: 'DEMO' }),
    ApiOkResponse({
      description: 'The import supplier.',
      content: jsonContent('SupplierProfile', example),
    }),
    ApiResponse(
      errorResponse(404, 'There is no such import supplier.', {
        code: 'not_found',
        detail: 'There is no such import supplier.',
      }),
    ),
  );
