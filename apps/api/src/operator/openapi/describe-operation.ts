import { applyDecorators, HttpCode, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiExtension, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ErrorCode } from '@portage/domain';
import { AcceptsQuery, type QueryParameter } from '../../http/query-parameters';
import { type OperatorRole, RequiresRole } from '../operator-session.guard';
import { OperatorChanges } from '../operator-changes';
import { ref, type Schema } from './schema-forms';

/** The extension of an operation that lists the error codes of its own; it is not published. */
export const OWN_ERRORS = 'x-own-errors';

interface Body {
  schema: string;
  examples: Readonly<Record<string, unknown>>;
}

interface OperationDescription {
  tag: string;
  operationId: string;
  summary: string;
  description?: string;
  /** The least role that may call it, which the guard enforces. */
  role: OperatorRole;
  params?: Readonly<Record<string, { description: string; example: string }>>;
  query?: Record<string, QueryParameter>;
  body?: Body;
  /** The status of success. */
  status?: 200 | 201 | 202 | 204;
  /** The name of the schema of the answer, or the schema. */
  answer?: string | Schema;
  answerDescription: string;
  example?: unknown;
  /** Media type of the answer. */
  mediaType?: string;
  /** Other media types of the answer, with their schema and example. */
  otherContent?: Readonly<Record<string, { schema: Schema; example: unknown }>>;
  /** Error codes besides those of every operation. */
  errors?: readonly ErrorCode[];
}

/**
 * Describes an operation of the operator API and requires the role that the description names, so that the document
 * and the guard cannot differ.
 */
export function OperatorOperation(described: OperationDescription): MethodDecorator {
  const { tag, operationId, summary, description, role, params = {}, query, body } = described;
  const { status = 200, answer, example, mediaType = 'application/json', otherContent = {} } = described;
  const schema = typeof answer === 'string' ? ref(answer) : answer;
  return applyDecorators(
    RequiresRole(role),
    UseInterceptors(OperatorChanges),
    HttpCode(status),
    ApiTags(tag),
    ApiExtension('x-required-role', role),
    ApiExtension(OWN_ERRORS, [...(described.errors ?? [])]),
    ApiOperation({
      operationId,
      summary,
      description: `${description ?? summary} Required role: ${role}.`,
    }),
    ...Object.entries(params).map(([name, param]) => ApiParam({ name, ...param })),
    ...(query ? [AcceptsQuery(query)] : []),
    ...(body
      ? [
          ApiBody({
            required: true,
            schema: ref(body.schema) as never,
            examples: Object.fromEntries(
              Object.entries(body.examples).map(([name, value]) => [name, { value }]),
            ),
          }),
        ]
      : []),
    ApiResponse({
      status,
      description: described.answerDescription,
      ...(schema
        ? {
            content: {
              [mediaType]: { schema: schema, ...(example === undefined ? {} : { example }) },
              ...(otherContent as Record<string, never>),
            },
          }
        : {}),
    }),
  );
}

/** Query parameters of a page. */
export const PAGE_QUERY: Record<string, QueryParameter> = {
  limit: {
    description: 'Items of a page.',
    schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
  cursor: {
    description: 'The `next_cursor` of the page before. It is valid with the same filters only.',
    schema: { type: 'string' },
  },
};

/** Path parameters that operations share. */
export const SUPPLIER_PARAM = { code: { description: 'Import supplier code', example: 'DEMO' } };
export const PROCESS_PARAMS = {
  ...SUPPLIER_PARAM,
  id: { description: 'The id of the import process', example: '100231' },
};
