import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '@portage/tenants';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; null if the request needs no authentication. */
    caller: Caller | null;
  }
}

/** Parameter decorator: the authenticated caller of a data-import route. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('A data-import route was called without authentication.');
  return caller;
});
