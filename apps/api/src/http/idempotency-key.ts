import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PortageError } from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

const HEADER = 'Idempotency-Key';
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * The value of the header `Idempotency-Key`, or undefined if there is none.
 *
 * @throws PortageError `validation_error` at `Idempotency-Key` unless it is 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const value = headers['idempotency-key'];
  if (value === undefined) return undefined;
  // Node joins a header that is sent twice with a comma and a space, which is refused.
  if (typeof value === 'string' && VISIBLE_ASCII.test(value)) return value;
  const detail = `${HEADER} must be 1 to 255 visible ASCII characters, sent once.`;
  throw new PortageError('validation_error', 'A header is not valid.', {
    errors: [{ attr: HEADER, code: 'invalid', detail }],
  });
}

/** Parameter decorator: {@link readIdempotencyKey} of the current request. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  readIdempotencyKey(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Sets the header `Idempotent-Replayed` if the answer is the stored one of an earlier request. */
export function setReplayedHeader(reply: FastifyReply, isReplayed: boolean): void {
  if (isReplayed) void reply.header('Idempotent-Replayed', 'true');
}
