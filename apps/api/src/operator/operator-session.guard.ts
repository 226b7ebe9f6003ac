import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

export type OperatorRole = 'viewer' | 'operator' | 'admin';

/** The signed-in operator of a request. */
export interface CurrentOperatorView {
  id: string;
  name: string;
  role: OperatorRole;
}

/** The least role that an operation requires. */
export const RequiresRole = (role: OperatorRole) => applyDecorators(SetMetadata('operator-role', role));

/** Parameter decorator: the signed-in operator. */
export const CurrentOperator = createParamDecorator(
  (_data: unknown, context: ExecutionContext): CurrentOperatorView => {
    const { operator } = context
      .switchToHttp()
      .getRequest<FastifyRequest & { operator?: CurrentOperatorView }>();
    if (!operator) throw new Error('An operator route was called without a session.');
    return operator;
  },
);
