import { applyDecorators } from '@nestjs/common';
import { ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

const REQUEST_ID = {
  'X-Request-Id': { description: 'Identifies the request in the log.', schema: { type: 'string' } },
};

/** An error response whose body is the schema `Error` with this example. */
export function errorResponse(
  status: number,
  description: string,
  example: object,
  headers: object = {},
): ApiResponseOptions {
  return {
    status,
    description,
    headers: { ...REQUEST_ID, ...headers },
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
  };
}

/** Error responses of every data-import endpoint. */
export function CommonErrors(): MethodDecorator {
  return applyDecorators(
    ApiResponse(
      errorResponse(401, 'The token is missing, not valid or expired.', {
        code: 'token_expired',
        detail: 'The token has expired. Obtain a new one with obtainPlatformToken.',
      }),
    ),
    ApiResponse(
      errorResponse(503, 'Send the request again after `Retry-After` seconds.', {
        code: 'unavailable',
        detail: 'The service is temporarily unavailable. Send the request again.',
      }),
    ),
  );
}

/** Error responses of every endpoint with a JSON body. */
export function BodyErrors(): MethodDecorator {
  return applyDecorators(
    ApiResponse(
      errorResponse(413, 'The body is too large.', {
        code: 'payload_too_large',
        detail: 'The body is larger than 10485760 bytes. Send less in one request.',
      }),
    ),
    ApiResponse(
      errorResponse(415, 'The body is not JSON, or is compressed.', {
        code: 'unsupported_media_type',
        detail: 'Send the body as JSON, with the header Content-Type: application/json.',
      }),
    ),
  );
}
