import { applyDecorators } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger';

/** An error about one field. */
@ApiSchema({ name: 'FieldError' })
export class FieldErrorBody {
  @ApiProperty({ description: 'For people. The wording can change.' })
  detail: string;

  @ApiProperty({ description: 'Machine-readable. It does not change.' })
  code: string;

  @ApiProperty({ description: 'Dotted path of the field; list positions start at 0.' })
  attr: string;
}

/** The body of an answer with an error. */
@ApiSchema({ name: 'Error' })
export class ErrorBody {
  @ApiProperty({ description: 'Machine-readable. It does not change.' })
  code: string;

  @ApiProperty({ description: 'For people. The wording can change.' })
  detail: string;

  @ApiPropertyOptional({ description: 'The subject of the error, if it is about a process.' })
  domain?: string;

  @ApiPropertyOptional({ type: [FieldErrorBody] })
  errors?: FieldErrorBody[];

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'The number of all errors, if not all are listed. The last one of `errors` is then `too_many_errors`.',
  })
  error_count?: number;
}

/**
 * Describes an error answer that differs from the ordinary one, in its description or in its schema. Its examples are
 * those of the operation's codes.
 */
export function AnswersError(
  status: number,
  description: string,
  ...bodies: readonly (new () => object)[]
): MethodDecorator {
  const [first, ...others] = bodies.map((body) => ({ $ref: getSchemaPath(body) }));
  if (!first) return ApiResponse({ status, description });
  const schema = others.length === 0 ? first : { anyOf: [first, ...others] };
  return applyDecorators(
    ApiExtraModels(...bodies),
    ApiResponse({ status, description, content: { 'application/json': { schema } } }),
  );
}
