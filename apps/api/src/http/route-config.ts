import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';
import type { RequestKind } from './admission/request-kind';

/**
 * Where a body has the parameters of an import: in `task_params` beside `payload`, as `dry_run` among its members, or in
 * a class of its own, which refuses unknown members.
 */
export type ImportParameters = 'task_params' | 'dry_run' | 'class';

/** The media types of streamed bodies: JSON values, each on a line, and documents. */
export type StreamedMediaType = 'application/x-ndjson' | 'application/pdf';

/** What the hooks before a handler have to know about its route. */
export interface PortageRouteConfig {
  /** The limit of concurrent requests that a request counts for; `others` by default. */
  requestKind?: RequestKind | undefined;
  /** The media type of a body that is read as a stream, of any length. */
  streamsBody?: StreamedMediaType;
  /** Where the body has the parameters of an import; by default it has none. */
  importParameters?: ImportParameters | undefined;
  /** The route writes nothing, although its method is not GET. */
  isCheck?: boolean | undefined;
  /** False for a route whose body has no members. */
  hasBody?: boolean;
  /** Names of the query parameters. Others are listed in the header `Ignored-Parameters`. */
  queryParameters?: readonly string[];
}

/** Adds to the configuration of a route, which hooks find in `request.routeOptions.config`. */
export function AddRouteConfig(config: PortageRouteConfig): MethodDecorator {
  return (target, key, descriptor) => {
    const handler: unknown = descriptor.value;
    const existing = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler as object) as
      | object
      | undefined;
    RouteConfig({ ...existing, ...config })(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/** The configuration of the route of a request. A request for an unknown address has none. */
export function routeConfigOf({ routeOptions }: { routeOptions: { config?: unknown } }): PortageRouteConfig {
  return (routeOptions.config as PortageRouteConfig | undefined) ?? {};
}
