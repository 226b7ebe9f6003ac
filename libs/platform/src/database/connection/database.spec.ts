import { EventEmitter } from 'node:events';
import { DatabaseError } from 'pg';
import { DataSource, EntityNotFoundError, QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { Database } from './database';
import { DatabaseUnavailable, translateErrors } from './database-unavailable';

type Connected = (error: undefined, client: EventEmitter, release: (error?: Error) => void) => void;

/** A data source on a pool whose only connection fails at the given statements. */
async function failingAt(failures: Record<string, Error>) {
  const released: unknown[] = [];
  const client = Object.assign(new EventEmitter(), {
    query: (text: string) =>
      failures[text]
        ? Promise.reject(failures[text])
        : Promise.resolve({
            rows: [{ version: 'PostgreSQL 18.0', current_database: '', current_schema: '' }],
          }),
  });
  class Pool extends EventEmitter {
    connect(connected: Connected) {
      connected(undefined, client, (error) => released.push(error));
    }
    end(ended: () => void) {
      ended();
    }
  }
  const dataSource = await new DataSource({ type: 'postgres', driver: { Pool } }).initialize();
  released.length = 0;
  return { database: new Database(dataSource), released, client };
}

const lost = new Error('Connection terminated unexpectedly');

describe('a transaction whose connection is lost', () => {
  it.each([
    ['before the work', 'START TRANSACTION'],
    ['before the commit', 'COMMIT'],
  ])('%s fails as an outage', async (_when, statement) => {
    const { database, released } = await failingAt({ [statement]: lost });
    await expect(database.transaction(() => Promise.resolve('done'))).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    expect(released).toHaveLength(1);
  });

  it('reports the first failure if that is at the rollback, and discards the connection', async () => {
    const { database, released, client } = await failingAt({ ROLLBACK: lost });
    const first = new Error('first');
    await expect(database.transaction(() => Promise.reject(first))).rejects.toBe(first);
    expect(released).toEqual([expect.objectContaining({ driverError: lost })]);
    expect(client.listenerCount('error')).toBe(0);
  });

  it('does not end the process if that is between two statements, and discards the connection', async () => {
    const { database, released, client } = await failingAt({});
    const work = database.transaction(() => {
      client.emit('error', lost);
      return Promise.reject(new Error('no'));
    });
    await expect(work).rejects.toThrow('no');
    expect([released, client.listenerCount('error')]).toEqual([[lost], 0]);
  });

  it('fails as an outage if that is after the last statement: nothing was committed', async () => {
    const { database, released, client } = await failingAt({});
    const work = database.transaction(() => {
      client.emit('error', lost);
      return Promise.resolve('done');
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(released).toEqual([lost]);
  });
});

describe('a transaction', () => {
  it('returns its connection to the pool once, whether it was committed or rolled back', async () => {
    const { database, released } = await failingAt({});
    expect(await database.transaction(() => Promise.resolve('done'))).toBe('done');
    await expect(database.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(released).toEqual([undefined, undefined]);
  });

  it('fails as an outage when TypeORM reports one to its work, and otherwise with the error of the work', async () => {
    const { database } = await failingAt({});
    const failing = async (error: Error) => database.transaction(() => Promise.reject(error));
    await expect(failing(new QueryFailedError('SELECT 1', [], lost))).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    );
    await expect(failing(lost)).rejects.toBe(lost);
  });
});

describe('an error of TypeORM', () => {
  const fromServer = Object.assign(new DatabaseError('duplicate key', 13, 'error'), { code: '23505' });

  it.each([
    ['a connection that broke during a query', new QueryFailedError('SELECT 1', [], lost)],
    ['no connection in time', new Error('timeout exceeded when trying to connect')],
    ['a query on a transaction whose connection was lost', new QueryRunnerAlreadyReleasedError()],
  ])('is translated into an outage: %s', async (_case, error) => {
    await expect(translateErrors(Promise.reject(error))).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  it.each([
    ['an answer of the server', new QueryFailedError('INSERT', [], fromServer)],
    ['a mistake in the program', new TypeError('x is not a function')],
    ['a mistake in the use of TypeORM', new EntityNotFoundError('Thing', {})],
  ])('stays as it is: %s', async (_case, error) => {
    await expect(translateErrors(Promise.reject(error))).rejects.toBe(error);
  });
});
