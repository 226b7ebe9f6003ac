import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { SignedInOperator } from '@portage/operators';
import type { FastifyRequest } from 'fastify';

const operators = new WeakMap<FastifyRequest, SignedInOperator>();

/** Stores the authenticated operator of a request. */
export function storeOperator(request: FastifyRequest, operator: SignedInOperator): void {
  operators.set(request, operator);
}

/** The operator of a request; undefined if it has no session. */
export function operatorOfRequest(request: FastifyRequest): SignedInOperator | undefined {
  return operators.get(request);
}

/** Parameter decorator: the signed-in operator of a route of the operator API. */
export const CurrentOperator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): SignedInOperator => {
    const operator = operatorOfRequest(context.switchToHttp().getRequest<FastifyRequest>());
    if (!operator) throw new Error('A route of the operator API was called without a session.');
    return operator;
  },
);
