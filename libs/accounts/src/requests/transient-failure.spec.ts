import { DatabaseUnavailable } from '@portage/platform';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { isTransient } from './transient-failure';

const fromDatabase = (code: string) =>
  Object.assign(new DatabaseError('message', 7, 'error'), { severity: 'ERROR', code });
const withCode = (code: unknown) => Object.assign(new Error('message'), { code });

describe('an error is transient if it', () => {
  it.each([
    ['08006', 'connection failure'],
    ['25006', 'read-only transaction on a standby'],
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock'],
    ['53300', 'too many connections'],
    ['55P03', 'lock not available'],
    ['57014', 'statement cancelled'],
    ['57P01', 'shutdown'],
    ['57P03', 'starting up'],
    ['58030', 'input or output error'],
  ])('has the SQLSTATE %s: %s', (code) => {
    expect(isTransient(fromDatabase(code))).toBe(true);
    expect(isTransient(new QueryFailedError('SELECT 1', [], fromDatabase(code)))).toBe(true);
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])(
    'has the network error code %s',
    (code) => {
      expect(isTransient(withCode(code))).toBe(true);
    },
  );

  it('says that the database is unavailable', () => {
    expect(isTransient(new DatabaseUnavailable('Connection terminated'))).toBe(true);
  });
});

describe('an error is permanent if it', () => {
  it.each([
    ['22007', 'invalid date'],
    ['22021', 'text that is not valid in the encoding'],
    ['23502', 'not-null violation'],
    ['23505', 'unique violation'],
    ['23514', 'check violation'],
    ['42P01', 'undefined table'],
    ['P0001', 'raised by a trigger'],
    ['XX000', 'internal error'],
  ])('has the SQLSTATE %s: %s', (code) => {
    expect(isTransient(fromDatabase(code))).toBe(false);
  });

  it.each([
    ['a programming error', new TypeError('x is not a function')],
    ['an unknown code', withCode('ENOENT')],
    ['a code that is a number', withCode(8006)],
    ['a string that names a code', 'ECONNRESET'],
    ['an object with a code that is not an Error', { code: '40001' }],
    ['undefined', undefined],
  ])('is %s', (_what, error) => {
    expect(isTransient(error)).toBe(false);
  });
});
