import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { PortageError } from '@portage/platform';
import type { FastifyRequest } from 'fastify';

const HEADER = 'If-Match';

/** A payload digest as `Payload-Digest` has it, with or without the quotes of an entity tag. */
const DIGEST = /^"?(sha-256=:[A-Za-z0-9+/]{43}=:)"?$/;

/**
 * The payload digest of the header `If-Match`, or undefined if there is none.
 *
 * @throws PortageError `validation_error` at `If-Match` unless it is one payload digest
 */
export function readIfMatch({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const value = headers['if-match'];
  if (value === undefined) return undefined;
  const digest = DIGEST.exec(value)?.[1];
  if (digest !== undefined) return digest;
  throw new PortageError('validation_error', 'A header is not valid.', {
    errors: [
      {
        attr: HEADER,
        code: 'invalid',
        detail: `${HEADER} must be the payload digest of the account, such as "sha-256=:...=:", in quotes.`,
      },
    ],
  });
}

/** Parameter decorator: {@link readIfMatch} of the current request. */
export const IfMatch = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  readIfMatch(context.switchToHttp().getRequest<FastifyRequest>()),
);
