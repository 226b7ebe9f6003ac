import { applyDecorators, HttpCode, UseInterceptors } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { Endpoint, type EndpointDescription } from '../http/endpoint';
import { OperatorChanges } from './operator-changes';
import { type OperatorRole, RequiresRole } from './operator-session.guard';

interface OperatorEndpointDescription extends EndpointDescription {
  /** The least role that may call it, which the guard enforces. */
  role: OperatorRole;
  /** The status of success. */
  status?: 200 | 201 | 202 | 204;
}

/** Names an operation of the operator API, its errors and the role that it requires. */
export function OperatorEndpoint({
  role,
  status = 200,
  ...endpoint
}: OperatorEndpointDescription): MethodDecorator {
  const { summary, description = summary } = endpoint;
  return applyDecorators(
    RequiresRole(role),
    UseInterceptors(OperatorChanges),
    HttpCode(status),
    ApiExtension('x-required-role', role),
    Endpoint({ ...endpoint, description: `${description} Required role: ${role}.` }),
  );
}
