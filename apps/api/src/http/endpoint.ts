import { applyDecorators } from '@nestjs/common';
import { PARAMTYPES_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { fieldsOf } from '@portage/account-schema/service';
import type { ErrorCode } from '@portage/platform';
import type { RequestKind } from './admission/request-kind';
import { AddRouteConfig, type ImportParameters } from './route-config';

/** The extension of an operation that lists its error codes besides those of all. It is not published. */
export const OWN_ERRORS = 'x-own-errors';

/** What an operation is. */
export interface EndpointDescription {
  /** The `operationId`. It does not change: generated clients name their functions by it. */
  id: string;
  summary: string;
  description?: string;
  /** Error codes besides those of every operation. */
  errors?: readonly ErrorCode[];
  /**
   * What an answer with 404 says, for an operation that can have one. Its code is `not_found` unless `errors` has
   * another.
   */
  notFound?: string;
  /** The limit of concurrent requests that a request counts for; `others` by default. */
  kind?: RequestKind;
  /** Where the body has the parameters of an import; by default it has none. */
  importParameters?: ImportParameters;
  /** The operation writes nothing, although its method is not GET. */
  isCheck?: boolean;
}

/** Names an operation, its errors and the limit that its requests count for. */
export function Endpoint({
  id,
  summary,
  description = summary,
  errors = [],
  notFound,
  kind,
  importParameters,
  isCheck,
}: EndpointDescription): MethodDecorator {
  const own =
    notFound === undefined || errors.includes('account_not_found') ? errors : [...errors, 'not_found'];
  return applyDecorators(
    ApiOperation({ operationId: id, summary, description }),
    ApiExtension(OWN_ERRORS, [...own]),
    ...(notFound === undefined ? [] : [ApiResponse({ status: 404, description: notFound })]),
    AddRouteConfig({ requestKind: kind, importParameters, isCheck }),
    DeclareArguments(),
  );
}

/** Declares the members of the class of `@Query()` as the query parameters of the route, and whether it has a `@Body()`. */
export function DeclareArguments(): MethodDecorator {
  return (target, key, descriptor) => {
    const types = Reflect.getMetadata(PARAMTYPES_METADATA, target, key) as unknown[];
    const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, target.constructor, key) ?? {}) as Record<
      string,
      { index: number }
    >;
    const hasBody = Object.keys(args).some((source) => source.startsWith(`${RouteParamtypes.BODY}:`));
    const names = Object.entries(args)
      .filter(([source]) => source.startsWith(`${RouteParamtypes.QUERY}:`))
      .flatMap(([, { index }]) => [...fieldsOf(types[index]).keys()]);
    AddRouteConfig({ hasBody, queryParameters: names })(target, key, descriptor);
  };
}
