import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { includesRole, type OperatorRole } from '@portage/operators';
import { PortageError } from '@portage/platform';
import type { FastifyRequest } from 'fastify';

const REQUIRED_ROLE = 'portage:operator-role';

/** Refuses operators without the role that a route requires. The session was checked before the body was read. */
@Injectable()
export class OperatorSessionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  /** @throws PortageError `operator_session_required`, `operator_role_required` */
  canActivate(context: ExecutionContext): boolean {
    const required = this.reflector.getAllAndOverride<OperatorRole>(REQUIRED_ROLE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const { operator } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!operator) throw new PortageError('operator_session_required', 'Sign in: there is no session.');
    if (includesRole(operator.role, required)) return true;
    throw new PortageError(
      'operator_role_required',
      `This needs the role ${required}, and yours is ${operator.role}.`,
    );
  }
}

/**
 * Requires a session of an operator with at least this role, for a route or for all routes of a controller. The role of
 * a route takes precedence.
 */
export const RequiresRole = (role: OperatorRole) =>
  applyDecorators(SetMetadata(REQUIRED_ROLE, role), UseGuards(OperatorSessionGuard));
