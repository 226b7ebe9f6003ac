import { inspect } from 'node:util';
import { HashedSecret } from './hashed-secret';

describe('a secret that is only compared with', () => {
  const secret = new HashedSecret('correct horse');

  it.each(['correct horse'])('is matched by %j', (guess) => {
    expect(secret.matches(guess)).toBe(true);
  });

  it.each([
    '',
    'correct hors',
    'correct horse ',
    'Correct horse',
    'correct horse\u0000',
    'x'.repeat(100_000),
  ])('is not matched by %j', (guess) => {
    expect(secret.matches(guess)).toBe(false);
  });

  it('cannot be read back, nor be seen in what is printed of it', () => {
    expect(inspect(secret, { showHidden: true, depth: 5 }) + JSON.stringify(secret)).not.toContain('correct');
  });
});
