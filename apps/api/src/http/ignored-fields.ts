import type { FastifyReply } from 'fastify';

const LONGEST = 4_000;

/** Names undocumented fields in the header `Ignored-Fields` (DESIGN 1), percent-encoded and cut at 4,000 characters. */
export function setIgnoredFields(reply: FastifyReply, paths: readonly string[]): void {
  if (paths.length === 0) return;
  let header = '';
  for (const path of paths) {
    const next = encodeURIComponent(path.toWellFormed());
    if (header.length + next.length + 5 > LONGEST) {
      header += header === '' ? '...' : ', ...';
      break;
    }
    header += header === '' ? next : `, ${next}`;
  }
  void reply.header('Ignored-Fields', header);
}
