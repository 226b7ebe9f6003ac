import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '@portage/importing';
import type { FastifyRequest } from 'fastify';

const callers = new WeakMap<FastifyRequest, Caller>();

/** Remembers who sent a request, once its token has been read. */
export function setCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}

export function callerOf(request: FastifyRequest): Caller | undefined {
  return callers.get(request);
}

/** The authenticated caller, for controllers of the data-import routes. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Caller => {
  const caller = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
  if (!caller) throw new Error('A data-import route was reached without authentication.');
  return caller;
});
