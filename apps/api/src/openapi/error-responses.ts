import type { ApiResponseOptions } from '@nestjs/swagger';

/** An example of an error body. */
export interface ErrorExample {
  code?: string;
  [member: string]: unknown;
}

/** The content of an error response, with an example for each code. The schema is `Error` unless others are named. */
export function errorContent(
  examples: readonly ErrorExample[] | Readonly<Record<string, ErrorExample>>,
  schemas: readonly string[] = ['Error'],
): Record<string, object> {
  const references = schemas.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const named = Array.isArray(examples)
    ? (examples as readonly ErrorExample[]).map((value): [string, object] => [
        value.code ?? 'example',
        { value },
      ])
    : Object.entries(examples).map(([name, value]): [string, object] => [name, { value }]);
  return {
    'application/json': {
      schema: references.length === 1 ? references[0] : { anyOf: references },
      examples: Object.fromEntries(named),
    },
  };
}

/** An error response with its examples. Headers, and statuses that all operations have, are added to the document. */
export function errorResponse(
  status: number,
  description: string,
  examples: ErrorExample | Readonly<Record<string, ErrorExample>>,
  { headers, schemas }: { headers?: object; schemas?: readonly string[] } = {},
): ApiResponseOptions {
  const isOne = typeof examples['code'] === 'string';
  return {
    status,
    description,
    ...(headers ? { headers: headers as never } : {}),
    content: errorContent(isOne ? [examples] : (examples as Readonly<Record<string, ErrorExample>>), schemas),
  };
}
