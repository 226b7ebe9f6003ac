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
};
