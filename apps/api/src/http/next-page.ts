import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sets the header `Link` to the address of the next page: that of the request with this limit and cursor. */
export function linkNextPage(
  reply: FastifyReply,
  { raw }: FastifyRequest,
  limit: number,
  after: string,
): void {
  const [path, query] = (raw.url ?? '').split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('limit', String(limit));
  parameters.set('after', after);
  void reply.header('Link', `<${path}?${parameters.toString()}>; rel="next"`);
}
