import { integer, optional, urlWithScheme } from '../validators';

export const databaseSettings = {
  DATABASE_URL: urlWithScheme(
    'postgres',
    'postgresql',
  )({
    ...optional,
    desc: 'URL of the PostgreSQL database. Required in production. Default: the embedded server that npm start runs.',
  }),
  DATABASE_POOL: integer({
    min: 2,
    max: 200,
    default: 10,
    desc: 'Maximum number of PostgreSQL connections of one process. The connections of the queue are not included.',
  }),
  DATABASE_STATEMENT_TIMEOUT_MS: integer({
    min: 100,
    max: 600_000,
    default: 30_000,
    desc: 'Maximum run time in milliseconds of one SQL statement.',
  }),
  DATABASE_CONNECT_TIMEOUT_MS: integer({
    min: 100,
    max: 60_000,
    default: 5_000,
    desc: 'Maximum wait in milliseconds for a database connection.',
  }),
  INSERT_BATCH_ROWS: integer({
    min: 1,
    max: 1_000,
    default: 64,
    desc: 'Maximum number of accounts that the API stores in one statement.',
  }),
  INSERT_BATCH_BYTES: integer({
    min: 1,
    max: 100_000_000,
    default: 4_000_000,
    desc: 'Maximum size of the payloads in such a statement, in characters.',
  }),
  LOOKUP_BATCH_QUESTIONS: integer({
    min: 1,
    max: 1_000,
    default: 256,
    desc: 'Maximum number of lookups of stored accounts in one statement.',
  }),
  LOOKUP_BATCH_VALUES: integer({
    min: 1,
    max: 1_000_000,
    default: 10_000,
    desc: 'Maximum number of values in such a statement.',
  }),
  WORKER_BATCH_ACCOUNTS: integer({
    min: 1,
    max: 500,
    default: 25,
    desc: 'Maximum number of accounts that a worker writes in one statement.',
  }),
  WORKER_BATCH_PARTS: integer({
    min: 1,
    max: 1_000_000,
    default: 5_000,
    desc: 'Maximum number of account parts (customers, transactions ...) in such a statement.',
  }),
  TRANSACTIONS_TOGETHER: integer({
    min: 0,
    max: 10_000,
    default: 100,
    desc: 'Maximum number of transactions of a request that is batched with others.',
  }),
  BATCHES_AT_ONCE: integer({
    min: 1,
    max: 50,
    default: 3,
    desc: 'Maximum number of concurrent batches of one kind.',
  }),
  BATCH_SLOW_AFTER_MS: integer({
    min: 1,
    max: 60_000,
    default: 50,
    desc: 'Time in milliseconds after which a running batch no longer delays the next one.',
  }),
};
