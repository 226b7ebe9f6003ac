import { ApiHeader } from '@nestjs/swagger';

/** Headers of responses to a body with undocumented fields. */
export const IGNORED_FIELDS = {
  'Ignored-Fields': {
    description:
      'Paths of undocumented fields, comma-separated and percent-encoded. They are stored and have no effect.',
    schema: { type: 'string' },
  },
  'Ignored-Fields-Suggestions': {
    description: 'The documented names that ignored fields may have meant, as `path=name`, comma-separated.',
    schema: { type: 'string' },
  },
};

/** Headers of the response to a request that can have an Idempotency-Key. */
export const RESPONSE_HEADERS = {
  'Idempotent-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request with the same Idempotency-Key. Nothing was done again.',
    schema: { type: 'string', enum: ['true'] },
  },
  ...IGNORED_FIELDS,
} as never;

/** Describes the header `Idempotency-Key`. */
export const IdempotencyKeyHeader = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Identifies this request: a request that is repeated with the same key is performed once.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });
