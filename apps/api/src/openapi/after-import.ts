import { applyDecorators } from '@nestjs/common';
import { ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { BodyErrors, CommonErrors, errorResponse } from './error-responses';
import { IdempotencyKeyHeader } from './idempotency';

/** What all requests about an imported account have in common. */
export function AfterTheImport(): MethodDecorator {
  return applyDecorators(
    OfAnImportedAccount(),
    ApiResponse(
      errorResponse(404, 'There is no such imported account.', {
        code: 'account_not_found',
        detail: 'There is no such imported account.',
      }),
    ),
  );
}

/** The same without a 404: where an account that is not there is something wrong with the body (contract 4.5). */
export function OfAnImportedAccount(): MethodDecorator {
  return applyDecorators(
    ApiTags('After the import'),
    ApiSecurity('token'),
    IdempotencyKeyHeader(),
    BodyErrors(),
    CommonErrors(),
  );
}
