import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PortageError } from '@portage/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';

const HEADER = 'Idempotency-Key';
const VISIBLE_ASCII = /^[\x21-\x7e]{1,255}$/;

/**
 * The client's own name for its request, from the header `Idempotency-Key`; undefined where there is none.
 *
 * @throws PortageError `validation_error` at `Idempotency-Key` when it is not 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['idempotency-key'];
  if (given === undefined) return undefined;
  // A header that is sent twice arrives joined by a comma and a space.
  if (typeof given === 'string' && VISIBLE_ASCII.test(given)) return given;
  const detail = `${HEADER} must be 1 to 255 visible ASCII characters, sent once.`;
  throw new PortageError('validation_error', 'A header is not valid.', {
    errors: [{ attr: HEADER, code: 'invalid', detail }],
  });
}

/** {@link readIdempotencyKey} of the request at hand, for controllers. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  readIdempotencyKey(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Says in the header `Idempotent-Replayed` that the answer is the first one again, and nothing was done now. */
export function setReplayed(reply: FastifyReply, isReplayed: boolean): void {
  if (isReplayed) void reply.header('Idempotent-Replayed', 'true');
}
