import { databaseUrl } from '../database-url';
import { integer, optional } from '../validators';

export const databaseSettings = {
  DATABASE_URL: databaseUrl({
    ...optional,
    desc: 'URL of the PostgreSQL database, as the role that API, worker and command line use. Several hosts are separated by commas: postgres://user:password@one:5432,two:5432/portage. Connections then go to the one that accepts writes (target_session_attrs=read-write; also primary or any). Required in production. Default: the embedded server that npm start runs.',
  }),
  MIGRATION_DATABASE_URL: databaseUrl({
    ...optional,
    desc: 'URL of the same database as the role that owns the tables, for npm run migrate only. It creates the role of DATABASE_URL if it does not exist and grants it what the application needs: of the audit and of events only to read and to add. Required by npm run migrate in production; the same value as DATABASE_URL keeps one role, which can then change the audit. Give it to no other program. Default: the embedded server that npm start runs, or DATABASE_URL.',
  }),
  DIRECT_DATABASE_URL: databaseUrl({
    ...optional,
    desc: 'URL of the same database and role as DATABASE_URL, without a pooler in between. Set it where DATABASE_URL leads to a pooler in transaction mode, such as PgBouncer: notifications, the queue in PostgreSQL and migrations use it. Default: DATABASE_URL.',
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
    default: 15_000,
    desc: 'Maximum run time in milliseconds of one SQL statement. A connection that is silent for 3 s longer is closed.',
  }),
};
