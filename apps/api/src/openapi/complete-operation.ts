import { getSchemaPath } from '@nestjs/swagger';
import { ERROR_CODES, type ErrorCode } from '@portage/platform';
import { OWN_ERRORS } from '../http/endpoint';
import { takeAnswerHeaders } from './answer-headers';
import { ErrorBody } from './errors.dto';
import { errorsByStatus } from './possible-errors';
import { responseHeaders } from './response-headers';

/** An operation object of OpenAPI, as far as it is completed here. */
export interface Operation {
  operationId?: string;
  responses: Record<string, OperationResponse>;
  security?: Record<string, string[]>[];
  [member: string]: unknown;
}

interface OperationResponse {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, object>;
}

/** Responses of the server itself, before a request is complete. They have no headers of the API. */
const OF_SERVER: Readonly<Record<number, [code: ErrorCode, detail: string]>> = {
  408: ['parse_error', 'The request did not arrive in time.'],
  431: ['payload_too_large', 'The headers are larger than 16384 bytes.'],
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'The token is missing, not valid or expired.',
  404: 'There is no such resource.',
  408: 'The request did not arrive in time.',
  413: 'The body is too large.',
  415: 'The body is not JSON, or has an encoding other than gzip.',
  429: 'A limit of requests is reached. Send the request again after `Retry-After` seconds.',
  431: 'The headers are too large.',
  500: 'An internal error occurred.',
  503: 'The service is temporarily unavailable. Send the request again after `Retry-After` seconds.',
};

/**
 * Adds what every operation has in common: a response for each status of its possible errors, the headers of each
 * response, and the list `x-possible-errors`. What the operation describes itself is kept.
 */
export function completeOperation(described: Operation, isWrite = false): Operation {
  const { [OWN_ERRORS]: own = [], ...published } = described;
  const { security = [] } = described;
  const isGuarded = security.some((scheme) => 'token' in scheme);
  const ofWrites: ErrorCode[] = isWrite && isGuarded ? ['misplaced_parameter', 'validation_error'] : [];
  const errors = errorsByStatus([...ofWrites, ...(own as ErrorCode[])], isGuarded);
  const [answerHeaders, operation] = takeAnswerHeaders(published);
  const responses: Record<string, OperationResponse> = {};
  const statuses = [...Object.keys(operation.responses), ...errors.keys(), ...Object.keys(OF_SERVER)];
  for (const status of [...new Set(statuses.map(Number))].sort((one, other) => one - other)) {
    const own = operation.responses[String(status)];
    const response = status < 400 && own ? own : completeError(own, status, errors.get(status));
    const headers = status in OF_SERVER ? {} : responseHeaders(status, isGuarded);
    const ofOperation = status <= 400 ? answerHeaders : {};
    responses[String(status)] = { ...response, headers: { ...headers, ...ofOperation, ...response.headers } };
  }
  return {
    ...operation,
    security,
    responses,
    'x-possible-errors': [...errors].flatMap(([status, codes]) =>
      codes.map((code) => ({ status, code, explanation: ERROR_CODES[code].explanation })),
    ),
  };
}

/** The response of an error, whose description and schemas an operation may name itself. */
function completeError(
  own: OperationResponse | undefined,
  status: number,
  codes: readonly ErrorCode[] | undefined,
): OperationResponse {
  const built = buildErrorResponse(status, codes);
  if (!own?.content) return { ...built, ...own };
  const content = Object.entries(own.content).map(([type, media]): [string, object] => [
    type,
    { ...built.content?.[type], ...media },
  ]);
  return { ...built, ...own, content: Object.fromEntries(content) };
}

function buildErrorResponse(status: number, codes: readonly ErrorCode[] = []): OperationResponse {
  const ofServer = OF_SERVER[status];
  const examples = ofServer
    ? [{ code: ofServer[0], detail: ofServer[1] }]
    : codes.map((code) => ({ code, detail: ERROR_CODES[code].explanation }));
  return {
    description: DESCRIPTIONS[status] ?? 'The request is refused.',
    content: {
      'application/json': {
        schema: { $ref: getSchemaPath(ErrorBody) },
        examples: Object.fromEntries(examples.map((value) => [value.code, { value }])),
      },
    },
  };
}
