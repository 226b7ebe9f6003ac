import { ApiHeader } from '@nestjs/swagger';

/** Headers of an answer to a request that may carry an Idempotency-Key. */
export const ANSWER_HEADERS = {
  'Idempotent-Replayed': {
    description:
      '`true` where this is the first answer to the same Idempotency-Key again: nothing was done now.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Ignored-Fields': {
    description:
      'Paths of undocumented fields, comma-separated and percent-encoded. They are kept without effect.',
    schema: { type: 'string' },
  },
} as never;

export const IdempotencyKeyHeader = () =>
  ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description: 'Your name for this request: the same request under the same name is done once.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  });
