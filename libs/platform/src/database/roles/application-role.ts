import { type Client, DatabaseError } from 'pg';
import { parseDatabaseUrl } from '../../config/database-url';
import { queryRows } from '../../connections/row-objects';
import { scramVerifier } from './scram-verifier';

/** The role of DATABASE_URL, where it is another one than the role that migrates. */
export interface ApplicationRole {
  name: string;
  /** Undefined if the role logs in without a password. */
  password: string | undefined;
}

/** Tables that the application reads and adds to, and never changes. The time of a row is the default, now(). */
export const APPEND_ONLY_TABLES = ['audit_entry', 'import_process_event'] as const;

/** What completes the end of a submission before the feed shows it. The application changes nothing else of it. */
const SUBMISSION_EVENT_COMPLETION = ['reconciled', 'transaction_id'];

/** TypeORM's list of migrations. */
const MIGRATIONS_TABLE = 'migrations';

const DUPLICATE_ROLE = ['42710', '23505'];
const INSUFFICIENT_PRIVILEGE = '42501';

/** The application's role cannot be granted rights. The message tells the operator what to do. */
export class UnsuitableRole extends Error {
  override readonly name = 'UnsuitableRole';
}

/**
 * The application's role, from its URL.
 *
 * @returns undefined if both URLs have the same user: the application then owns its tables
 * @throws UnsuitableRole if one of the URLs has no user
 */
export function applicationRoleOf(databaseUrl: string, migrationUrl: string): ApplicationRole | undefined {
  const [application, owner] = [databaseUrl, migrationUrl].map(
    (text) => new URL(parseDatabaseUrl(text).urls[0]),
  ) as [URL, URL];
  if (databaseUrl === migrationUrl) return undefined;
  if (application.username === '' || owner.username === '')
    throw new UnsuitableRole('DATABASE_URL and MIGRATION_DATABASE_URL must both name their role.');
  if (application.username === owner.username) return undefined;
  const { username, password } = application;
  return {
    name: decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
  };
}

/**
 * Creates the role if it does not exist. An existing role keeps its password.
 *
 * @throws UnsuitableRole if the role could change what it may only add to, or cannot be created
 */
export async function ensureApplicationRole(client: Client, role: ApplicationRole): Promise<void> {
  const [found] = await queryRows<{ isOwner: boolean; canBecomeOwner: boolean }>(client, SUITABILITY, [
    role.name,
  ]);
  if (!found) {
    await createRole(client, role);
    return;
  }
  if (found.canBecomeOwner)
    throw new UnsuitableRole(
      `The role ${role.name} of DATABASE_URL is a superuser, may create roles, or is a member of a role that owns the database or its tables. Use another role: npm run migrate creates it.`,
    );
  if (found.isOwner)
    throw new UnsuitableRole(
      `The role ${role.name} of DATABASE_URL owns tables. Name another role in DATABASE_URL, which npm run migrate creates, and this one in MIGRATION_DATABASE_URL.`,
    );
}

/** Undefined row: there is no such role. */
const SUITABILITY = `
  SELECT rolsuper OR rolcreaterole
      OR pg_has_role(role.oid, current_user, 'MEMBER')
      OR EXISTS (SELECT FROM pg_database WHERE datname = current_database()
        AND pg_has_role(role.oid, datdba, 'MEMBER')) AS can_become_owner,
    EXISTS (SELECT FROM pg_class WHERE relowner = role.oid AND relkind IN ('r', 'p', 'S')
      AND relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname LIKE 'pg\\_%')) AS is_owner
  FROM pg_roles role WHERE rolname = $1`;

async function createRole(client: Client, { name, password }: ApplicationRole): Promise<void> {
  const identity = client.escapeIdentifier(name);
  const secret = password === undefined ? '' : ` PASSWORD ${client.escapeLiteral(scramVerifier(password))}`;
  try {
    await client.query(
      `CREATE ROLE ${identity} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION${secret}`,
    );
  } catch (error) {
    const code = error instanceof DatabaseError ? error.code : undefined;
    // Roles belong to the server: a migration of another database may create the same one.
    if (code !== undefined && DUPLICATE_ROLE.includes(code)) return;
    if (code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new UnsuitableRole(
      `The role ${name} of DATABASE_URL does not exist, and the role of MIGRATION_DATABASE_URL may not create it. As an administrator, run: CREATE ROLE ${identity} LOGIN PASSWORD '...'`,
    );
  }
}

interface Table {
  name: string;
  /** Those that a row gets when it is added, in the form of SQL. */
  insertedColumns: string;
}

/** The tables of the schema, with the columns that the application may fill when it adds a row. */
const TABLES = `
  SELECT relname AS name, (
      SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = ''
        AND attname <> CASE WHEN relname = ANY ($1) THEN 'occurred_at' ELSE '' END
        AND NOT (relname = 'submission_event' AND attname = ANY ($2))) AS inserted_columns
  FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
  ORDER BY relname`;

/**
 * Grants the role what the application needs: SELECT and INSERT on tables that are only ever added to, without the time of
 * a row; the completion of the ends of submissions; SELECT on the list of migrations; SELECT, INSERT, UPDATE and DELETE on
 * all others; and the use of sequences. Revokes everything else.
 */
export async function grantApplicationRights(client: Client, { name }: ApplicationRole): Promise<void> {
  const role = client.escapeIdentifier(name);
  const { rows: places } = await client.query<{ schema: string; database: string }>(
    'SELECT current_schema() AS schema, current_database() AS database',
  );
  const [place] = places;
  if (!place) throw new Error('The connection has no schema.');
  const schema = client.escapeIdentifier(place.schema);
  const tables = await queryRows<Table>(client, TABLES, [APPEND_ONLY_TABLES, SUBMISSION_EVENT_COMPLETION]);
  const statements = [
    'BEGIN',
    `GRANT CONNECT, TEMPORARY ON DATABASE ${client.escapeIdentifier(place.database)} TO ${role}`,
    // Objects of the application could take the place of objects that a migration names.
    `REVOKE CREATE ON SCHEMA ${schema} FROM PUBLIC, ${role}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${role}`,
    `REVOKE ALL ON ALL SEQUENCES IN SCHEMA ${schema} FROM ${role}`,
    // Not UPDATE, with which a sequence could be set back.
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role}`,
    ...tables.map(
      (table) => `GRANT ${rightsOn(table)} ON ${schema}.${client.escapeIdentifier(table.name)} TO ${role}`,
    ),
    'COMMIT',
  ];
  await client.query(statements.join(';\n'));
}

function rightsOn({ name, insertedColumns }: Table): string {
  if (name === MIGRATIONS_TABLE) return 'SELECT';
  if ((APPEND_ONLY_TABLES as readonly string[]).includes(name)) return `SELECT, INSERT (${insertedColumns})`;
  if (name === 'submission_event')
    return `SELECT, INSERT (${insertedColumns}), UPDATE (${SUBMISSION_EVENT_COMPLETION.join(', ')}), DELETE`;
  return 'SELECT, INSERT, UPDATE, DELETE';
}
