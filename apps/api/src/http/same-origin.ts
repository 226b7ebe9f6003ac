import type { FastifyRequest } from 'fastify';

type OriginHeaders = Pick<FastifyRequest, 'headers' | 'host'>;

/**
 * True unless a browser says that a page of another origin made it send the request. Clients that are no browsers send
 * neither header.
 */
export function isSameOrigin({ headers, host }: OriginHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

/** True if a browser says that the request comes from a page of this origin. */
export function isFromOwnPage(request: OriginHeaders): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  return (origin !== undefined || site !== undefined) && isSameOrigin(request);
}
