import { readIdempotencyKey } from './idempotency-key';

const read = (key: string | undefined) =>
  readIdempotencyKey({ headers: key === undefined ? {} : { 'idempotency-key': key } });

describe('the header Idempotency-Key', () => {
  it('is optional', () => {
    expect(read(undefined)).toBeUndefined();
  });

  it.each(['a', 'c0ffee-1/2', '~'.repeat(255)])('can be %p', (key) => {
    expect(read(key)).toBe(key);
  });

  it.each([
    ['is empty', ''],
    ['has 256 characters', 'k'.repeat(256)],
    ['has a space', 'a b'],
    ['has a control character', 'a\tb'],
    ['is not ASCII', 'clé'],
    ['was sent twice', 'one, two'],
  ])('is refused if it %s', (_how, key) => {
    const errors = [expect.objectContaining({ attr: 'Idempotency-Key', code: 'invalid' })];
    expect(() => read(key)).toThrow(
      expect.objectContaining({ code: 'validation_error', members: { errors } }),
    );
  });
});
