import { applyDecorators } from '@nestjs/common';
import { ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { errorResponse } from './error-responses';
import { IdempotencyKeyHeader } from './idempotency';

/** The description that all requests about an imported account share. */
export function DescribeAccountUpdate(): MethodDecorator {
  return applyDecorators(
    DescribeAccountUpdateWithout404(),
    ApiResponse(
      errorResponse(404, 'There is no such imported account.', {
        code: 'account_not_found',
        detail: 'There is no such imported account.',
      }),
    ),
  );
}

/**
 * As {@link DescribeAccountUpdate}, for endpoints that report an unknown account as a 400 of the body (contract 4.5).
 */
export function DescribeAccountUpdateWithout404(): MethodDecorator {
  return applyDecorators(ApiTags('After the import'), ApiSecurity('token'), IdempotencyKeyHeader());
}
