import { PortageError } from '@portage/platform';
import fc from 'fast-check';
import { BEGINNING, type EventPosition } from './event-position';
import { formatCursor, readCursor, requireCursor } from './event-cursor';

const bigint = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const integer = fc.nat({ max: 2 ** 31 - 1 });
const position: fc.Arbitrary<EventPosition> = fc.record({
  transaction: bigint,
  source: fc.constantFrom(0 as const, 1 as const),
  id: bigint,
  version: integer,
  attempt: integer,
  event: fc.constantFrom('', 'PROCESSED', 'DRY_RUN_ERRORED'),
});

describe('a cursor', () => {
  it('has the position that it was made from, and is safe in an address', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), position, (supplierId, original) => {
        const cursor = formatCursor(supplierId, original);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(readCursor(supplierId, cursor)).toEqual(original);
        expect(readCursor(supplierId + 1, cursor)).toBeUndefined();
      }),
    );
  });

  it.each([
    ['empty', ''],
    ['any text', 'yesterday'],
    ['a number', '17'],
    ['of another version', Buffer.from('1.7.1.0.0.0.0.').toString('base64url')],
    ['a number that is too large', Buffer.from('2.7.9223372036854775808.0.0.0.0.').toString('base64url')],
    ['an id that is too large', Buffer.from('2.7.1.0.9223372036854775808.1.0.').toString('base64url')],
    ['an attempt that is too large', Buffer.from('2.7.1.0.1.1.2147483648.').toString('base64url')],
    ['a version that is too large', Buffer.from('2.7.1.0.1.2147483648.0.').toString('base64url')],
    ['changed', `${formatCursor(7, BEGINNING)}A`],
    ['padded', `${formatCursor(7, BEGINNING)}==`],
    ['SQL', Buffer.from("2.7.1.0.1.1.0.' OR 1=1").toString('base64url')],
  ])('is refused if it is %s', (_title, text) => {
    expect(readCursor(7, text)).toBeUndefined();
    expect(() => requireCursor(7, text)).toThrow(PortageError);
  });
});
