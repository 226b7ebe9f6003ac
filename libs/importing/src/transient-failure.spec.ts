import { DatabaseUnavailable } from '@portage/database';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { isTransient } from './transient-failure';

const fromDatabase = (code: string) =>
  Object.assign(new DatabaseError('message', 7, 'error'), { severity: 'ERROR', code });
const withCode = (code: unknown) => Object.assign(new Error('message'), { code });

describe('a failure that may pass', () => {
  it.each([
    ['08006', 'connection failure'],
    ['25006', 'the server is a standby just now'],
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock'],
    ['53300', 'too many connections'],
    ['55P03', 'lock not available'],
    ['57014', 'statement cancelled'],
    ['57P01', 'shutdown'],
    ['57P03', 'starting up'],
    ['58030', 'input or output error'],
  ])('is SQLSTATE %s: %s', (code) => {
    expect(isTransient(fromDatabase(code))).toBe(true);
    expect(isTransient(new QueryFailedError('SELECT 1', [], fromDatabase(code)))).toBe(true);
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'])(
    'is the network: %s',
    (code) => {
      expect(isTransient(withCode(code))).toBe(true);
    },
  );

  it('is a database that does not answer', () => {
    expect(isTransient(new DatabaseUnavailable('Connection terminated'))).toBe(true);
  });
});

describe('a failure that comes back with every attempt', () => {
  it.each([
    ['22007', 'a date that is none'],
    ['22021', 'text that cannot be stored'],
    ['23502', 'not null'],
    ['23505', 'unique'],
    ['23514', 'check'],
    ['42P01', 'no such table'],
    ['P0001', 'raised by a trigger'],
    ['XX000', 'internal error'],
  ])('is SQLSTATE %s: %s', (code) => {
    expect(isTransient(fromDatabase(code))).toBe(false);
  });

  it.each([
    ['a mistake in the program', new TypeError('x is not a function')],
    ['an unknown code', withCode('ENOENT')],
    ['a code that is a number', withCode(8006)],
    ['a text that names a code', 'ECONNRESET'],
    ['an object that has a code', { code: '40001' }],
    ['nothing', undefined],
  ])('is %s', (_what, error) => {
    expect(isTransient(error)).toBe(false);
  });
});
