import { EventEmitter } from 'node:events';
import { DatabaseError } from 'pg';
import { type DataSource, EntityNotFoundError, QueryFailedError } from 'typeorm';
import { Database } from './database';
import { asked, DatabaseUnavailable } from './database-unavailable';

/** A database whose only connection fails at the statements that are given. */
function failingAt(failures: Record<string, Error>) {
  const released: unknown[] = [];
  const client = Object.assign(new EventEmitter(), {
    query: (text: string) =>
      failures[text] ? Promise.reject(failures[text]) : Promise.resolve({ rows: [] }),
    release: (error?: Error) => released.push(error),
  });
  const master = { connect: () => Promise.resolve(client) };
  return { database: new Database({ driver: { master } } as unknown as DataSource), released, client };
}

const lost = new Error('Connection terminated unexpectedly');

describe('a connection that is lost', () => {
  it.each([
    ['before the work', 'BEGIN'],
    ['before it is committed', 'COMMIT'],
  ])('%s is an outage, not a fault', async (_when, statement) => {
    const { database, released } = failingAt({ [statement]: lost });
    await expect(database.transaction(() => Promise.resolve('done'))).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    expect(released).toHaveLength(1);
  });

  it('when it rolls back is thrown away, and the first failure is the one that is told', async () => {
    const { database, released } = failingAt({ ROLLBACK: lost });
    const first = new Error('first');
    await expect(database.transaction(() => Promise.reject(first))).rejects.toBe(first);
    expect(released).toEqual([lost]);
  });

  it('between two statements does not end the process, and is thrown away', async () => {
    const { database, released, client } = failingAt({});
    const work = database.transaction(() => {
      client.emit('error', lost);
      return Promise.reject(new Error('no'));
    });
    await expect(work).rejects.toThrow('no');
    expect([released, client.listenerCount('error')]).toEqual([[lost], 0]);
  });

  it('is otherwise given back whole, once', async () => {
    const { database, released } = failingAt({});
    expect(await database.transaction(() => Promise.resolve('done'))).toBe('done');
    await expect(database.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(released).toEqual([undefined, undefined]);
  });
});

describe('an error below TypeORM', () => {
  const fromServer = Object.assign(new DatabaseError('duplicate key', 13, 'error'), { code: '23505' });

  it.each([
    ['a connection that broke during a query', new QueryFailedError('SELECT 1', [], lost)],
    ['no connection in time', new Error('timeout exceeded when trying to connect')],
  ])('is an outage: %s', async (_what, error) => {
    await expect(asked(Promise.reject(error))).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  it.each([
    ['what the server said', new QueryFailedError('INSERT', [], fromServer)],
    ['a mistake in the program', new TypeError('x is not a function')],
    ['a mistake in the use of TypeORM', new EntityNotFoundError('Thing', {})],
  ])('is left as it is: %s', async (_what, error) => {
    await expect(asked(Promise.reject(error))).rejects.toBe(error);
  });
});
