import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { BodyErrors, CommonErrors, errorResponse } from './error-responses';

export const ANSWER_HEADERS = {
  'Idempotent-Replayed': {
    description:
      '`true` where this is the first answer to the same Idempotency-Key again: nothing was done now.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Ignored-Fields': {
    description: 'Paths of undocumented fields, comma-separated and percent-encoded.',
    schema: { type: 'string' },
  },
} as never;

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
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: 'Your name for this request: the same request under the same name is done once.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
    BodyErrors(),
    CommonErrors(),
  );
}
