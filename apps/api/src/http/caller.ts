import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '@portage/tenants';
import type { FastifyRequest } from 'fastify';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Stores the authenticated caller of a request. */
export function storeCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

/** The caller of a request, or undefined if the request needs no authentication. */
export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}

/** Parameter decorator: the authenticated caller of a data-import route. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (!caller) throw new Error('A data-import route was called without authentication.');
  return caller;
});
