import { applyDecorators, HttpCode, UseInterceptors } from '@nestjs/common';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { OperatorRole } from '@portage/operators';
import { DeclareArguments } from '../http/endpoint';
import { OperatorChanges } from './operator-changes';
import { RequiresRole } from './operator-session.guard';

/**
 * An operation of the console's API. It is in no document: the console imports the types of its answers.
 *
 * @param role the least role that may call it, which the guard enforces; `public` without a session
 * @param status the status of success
 */
export function OperatorEndpoint(
  role: OperatorRole | 'public',
  status: 200 | 201 | 202 | 204 = 200,
): MethodDecorator {
  return applyDecorators(
    ...(role === 'public' ? [] : [RequiresRole(role), UseInterceptors(OperatorChanges)]),
    HttpCode(status),
    ApiExcludeEndpoint(),
    DeclareArguments(),
  );
}
