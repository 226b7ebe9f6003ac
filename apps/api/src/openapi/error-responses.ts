import { applyDecorators } from '@nestjs/common';
import { ApiResponse, type ApiResponseOptions } from '@nestjs/swagger';

const REQUEST_ID = {
  'X-Request-Id': { description: 'Names the request in our logs.', schema: { type: 'string' } },
};

/** An error response whose body is the schema `Error` with this example. */
export function errorResponse(status: number, description: string, example: object): ApiResponseOptions {
  return {
    status,
    description,
    headers: REQUEST_ID,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } },
  };
}

/** What every data-import endpoint may answer besides its own responses (DESIGN 1). */
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
        detail: 'The service cannot answer just now. Send the request again.',
      }),
    ),
  );
}

/** What an endpoint with a JSON body may answer besides. */
export function BodyErrors(): MethodDecorator {
  return applyDecorators(
    ApiResponse(
      errorResponse(413, 'The body is too large.', {
        code: 'payload_too_large',
        detail: 'The body is too large.',
      }),
    ),
    ApiResponse(
      errorResponse(415, 'The body is not sent as JSON.', {
        code: 'unsupported_media_type',
        detail: 'Send the body as JSON, with the header Content-Type: application/json.',
      }),
    ),
  );
}
