import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SignedInOperator } from '@portage/operators';
import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in operator; null if the request has no session. */
    operator: SignedInOperator | null;
  }
}

/** Parameter decorator: the signed-in operator of a route of the operator API. */
export const CurrentOperator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): SignedInOperator => {
    const { operator } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!operator) throw new Error('A route of the operator API was called without a session.');
    return operator;
  },
);
