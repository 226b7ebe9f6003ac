import type { FastifyReply } from 'fastify';

const MAX_HEADER_LENGTH = 4_000;

/**
 * Lists undocumented fields in the header `Ignored-Fields`, percent-encoded. A list over 4,000 characters is cut and
 * ends with `...`.
 */
export function setIgnoredFieldsHeader(reply: FastifyReply, paths: readonly string[]): void {
  if (paths.length === 0) return;
  let header = '';
  for (const path of paths) {
    const next = encodeURIComponent(path.toWellFormed());
    if (header.length + next.length + 5 > MAX_HEADER_LENGTH) {
      header += header === '' ? '...' : ', ...';
      break;
    }
    header += header === '' ? next : `, ${next}`;
  }
  void reply.header('Ignored-Fields', header);
}
