import { createHash } from 'node:crypto';
import { readContentDigest } from './content-digest';

const sha256 = createHash('sha256').update('a').digest();
const member = `sha-256=:${sha256.toString('base64')}:`;

it('the SHA-256 of Content-Digest is read, alone or beside others', () => {
  expect(readContentDigest(undefined)).toBeUndefined();
  expect(readContentDigest(member)).toEqual(sha256);
  expect(readContentDigest(`sha-512=:AAAA:, ${member}`)).toEqual(sha256);
});

it.each([
  '',
  'sha-512=:AAAA:',
  'sha-256=:AAAA:',
  `sha-256=${sha256.toString('base64')}`,
  sha256.toString('hex'),
])('a Content-Digest without a SHA-256 is refused: %j', (header) => {
  expect(() => readContentDigest(header)).toThrow(expect.objectContaining({ code: 'validation_error' }));
});
