import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiExtension, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ErrorCode } from '@portage/domain';
import type { SessionSchema } from './session.schemas';

/** The description of an operation of sessions or operators. */
export interface OperationDescription {
  tag: 'Sessions' | 'Operators';
  operationId: string;
  summary: string;
  description: string;
  params?: Readonly<Record<string, { description: string; example: string }>>;
  /** The schema of the body and its examples. */
  body?: readonly [schema: SessionSchema, examples: Readonly<Record<string, object>>];
  status: number;
  answer: string;
  /** The schema of the answer and its example. */
  content?: readonly [schema: SessionSchema, example: object];
  /** Error codes besides those of every operation. */
  errors?: readonly ErrorCode[];
}

const schemaOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Describes an operation in the OpenAPI document of the operator API. */
export function describe(described: OperationDescription): MethodDecorator {
  const { tag, operationId, summary, description, params = {}, body, status, answer, content } = described;
  return applyDecorators(
    ApiTags(tag),
    ApiExtension('x-own-errors', [...(described.errors ?? [])]),
    ApiOperation({ operationId, summary, description }),
    ...Object.entries(params).map(([name, param]) => ApiParam({ name, ...param })),
    ...(body
      ? [
          ApiBody({
            required: true,
            schema: schemaOf(body[0]),
            examples: Object.fromEntries(Object.entries(body[1]).map(([name, value]) => [name, { value }])),
          }),
        ]
      : []),
    ApiResponse({
      status,
      description: answer,
      ...(content
        ? { content: { 'application/json': { schema: schemaOf(content[0]), example: content[1] } } }
        : {}),
    }),
  );
}
