import { formatPayloadDigest } from '@portage/imports';
import type { FastifyReply } from 'fastify';

/**
 * Sets the header `Payload-Digest` to the digest of the accepted payload, unless there is none.
 *
 * @param digest SHA-256, or its base64
 */
export function setPayloadDigestHeader(
  reply: Pick<FastifyReply, 'header'>,
  digest: Buffer | string | null,
): void {
  if (digest === null) return;
  const base64 = typeof digest === 'string' ? digest : digest.toString('base64');
  void reply.header('Payload-Digest', formatPayloadDigest(base64));
}
