import { inspect } from 'node:util';
import { HashedSecret } from './hashed-secret';

describe('a hashed secret', () => {
  const secret = new HashedSecret('correct horse');

  it.each(['correct horse'])('matches %j', (candidate) => {
    expect(secret.matches(candidate)).toBe(true);
  });

  it.each([
    '',
    'correct hors',
    'correct horse ',
    'Correct horse',
    'correct horse\u0000',
    'x'.repeat(100_000),
  ])('does not match %j', (candidate) => {
    expect(secret.matches(candidate)).toBe(false);
  });

  it('is not visible when it is printed or serialised', () => {
    expect(inspect(secret, { showHidden: true, depth: 5 }) + JSON.stringify(secret)).not.toContain('correct');
  });
});
