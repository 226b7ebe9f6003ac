import { PortageError } from '@portage/platform';

/** The SHA-256 of a member `sha-256=:base64:` (RFC 9530 and RFC 8941): 32 bytes are 44 characters. */
const SHA_256 = /^sha-256=:([A-Za-z0-9+/]{43}=):$/i;

/**
 * Reads the SHA-256 of the header Content-Digest (RFC 9530), beside which others may be named.
 *
 * @returns undefined if there is no such header
 * @throws PortageError `validation_error` if it has no SHA-256: a digest that is not checked would be worth nothing
 */
export function readContentDigest(header: string | string[] | undefined): Buffer | undefined {
  if (header === undefined) return undefined;
  for (const member of [header].flat().join(',').split(',')) {
    const [, digest] = SHA_256.exec(member.trim()) ?? [];
    if (digest !== undefined) return Buffer.from(digest, 'base64');
  }
  throw new PortageError('validation_error', 'The request is not valid.', {
    errors: [
      {
        attr: 'Content-Digest',
        code: 'invalid',
        detail: 'Send Content-Digest: sha-256=:BASE64: with the 32 bytes of the SHA-256 of the body.',
      },
    ],
  });
}
