import { randomBytes } from 'node:crypto';
import { applicationUrl, newDatabase } from '@portage/testing';
import { Client, DatabaseError } from 'pg';
import { migrate } from '../migrate';
import { applicationRoleOf } from './application-role';

const INSUFFICIENT_PRIVILEGE = '42501';
const settings = { DATABASE_POOL: 2, DATABASE_STATEMENT_TIMEOUT_MS: 30_000 };
const opened: Client[] = [];

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  opened.push(client);
  return client;
}

/** Names are unique, because roles belong to the server that all suites share. */
const newName = () => `role_${randomBytes(6).toString('hex')}`;

function urlAs(url: string, username: string, password = 'secret'): string {
  return Object.assign(new URL(url), { username, password }).href;
}

afterAll(async () => {
  await Promise.all(opened.map(async (client) => client.end()));
});

async function codeOf(client: Client, statement: string): Promise<string | undefined> {
  return client.query(statement).then(
    () => undefined,
    (error: unknown) => (error instanceof DatabaseError ? error.code : String(error)),
  );
}

describe('the role of the application', () => {
  let owner: Client;
  let application: Client;

  beforeAll(async () => {
    const url = await newDatabase();
    owner = await connect(url);
    application = await connect(applicationUrl(url));
    await owner.query(`
      INSERT INTO organisation (name) VALUES ('Supplier Ltd');
      INSERT INTO audit_entry (actor, action) VALUES ('operator:ada', 'organisation.create');`);
  });

  describe.each(['audit_entry', 'import_process_event'])('the rights on %s', (table) => {
    it.each([
      ['update', `UPDATE ${table} SET actor = 'somebody'`],
      ['update nothing', `UPDATE ${table} SET actor = actor WHERE false`],
      ['delete', `DELETE FROM ${table}`],
      ['truncate', `TRUNCATE ${table}`],
      ['truncate a table it refers to', 'TRUNCATE import_process CASCADE'],
      ['alter', `ALTER TABLE ${table} ALTER actor TYPE varchar(1)`],
      ['drop', `DROP TABLE ${table}`],
      ['rename', `ALTER TABLE ${table} RENAME TO other`],
      ['disable triggers', `ALTER TABLE ${table} DISABLE TRIGGER ALL`],
      ['add a trigger', `CREATE TRIGGER t BEFORE INSERT ON ${table} EXECUTE FUNCTION announce_change()`],
      ['add a rule', `CREATE RULE r AS ON INSERT TO ${table} DO INSTEAD NOTHING`],
      ['lock against writing', `DO $$ BEGIN LOCK TABLE ${table} IN SHARE MODE; END $$`],
      ['take ownership', `ALTER TABLE ${table} OWNER TO CURRENT_USER`],
      ['grant itself rights', `GRANT UPDATE ON ${table} TO CURRENT_USER`],
    ])('may not %s', async (_what, statement) => {
      // A grant without the right to grant is a warning, so the right itself is checked afterwards.
      expect(['42501', undefined]).toContain(await codeOf(application, statement));
      const { rows } = await application.query(
        `SELECT has_table_privilege('${table}', 'UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER') AS may`,
      );
      expect(rows).toEqual([{ may: false }]);
      if (!statement.startsWith('GRANT'))
        expect(await codeOf(application, statement)).toBe(INSUFFICIENT_PRIVILEGE);
    });
  });

  it.each([
    ['become the owner', 'SET ROLE portage'],
    ['skip triggers', `SET session_replication_role = 'replica'`],
    ['drop the schema', 'DROP SCHEMA public CASCADE'],
    ['create tables', 'CREATE TABLE other (id int)'],
    ['create functions', `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'`],
    [
      'replace the function that refuses changes',
      `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    ],
    ['create schemas', 'CREATE SCHEMA other'],
    ['create roles', `CREATE ROLE other`],
    ['set account numbers back', `SELECT setval('account_number_sequence', 0)`],
    ['pretend that migrations ran', `INSERT INTO migrations (timestamp, name) VALUES (1, 'x')`],
    ['change the tables of the queues', 'ALTER TABLE bullmq.job ADD x int'],
    ['pretend that migrations of the queues ran', 'DELETE FROM bullmq.migration'],
  ])('may not %s', async (_what, statement) => {
    expect(await codeOf(application, statement)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it.each([
    [
      'the time of an audit entry',
      'audit_entry (actor, action, occurred_at)',
      `'operator:ada', 'x', '2020-01-01'`,
    ],
    ['the number of an audit entry', 'audit_entry (id, actor, action)', `1000000, 'operator:ada', 'x'`],
    [
      'the time of an event',
      'import_process_event (process_id, version, attempt, event, occurred_at)',
      `1, 1, 0, 'SCHEDULED', '2020-01-01'`,
    ],
    [
      'the place in the feed of the end of a submission',
      'submission_event (submission_id, number, supplier_id, event, counts, reconciled, transaction_id)',
      `1, 1, 1, 'FINISHED', '{}', true, 1`,
    ],
  ])('may not invent %s', async (_what, columns, values) => {
    const statement = `INSERT INTO ${columns} OVERRIDING SYSTEM VALUE VALUES (${values})`;
    expect(await codeOf(application, statement)).toBe(INSUFFICIENT_PRIVILEGE);
  });

  describe('the rights on the end of a submission', () => {
    beforeAll(async () => {
      await owner.query(`
        WITH supplier AS (
          INSERT INTO import_supplier (organisation_id, code, region, creation_mode, profile, document_root, currency,
            time_zone, verify_documents, reject_undocumented_fields, send_migration_emails)
          SELECT id, 'ENDS', 'GB', 'direct', 'core', 'ENDS', 'GBP', 'Europe/London', false, false, false
          FROM organisation RETURNING id
        ), submission AS (
          INSERT INTO submission (supplier_id, reference, request_hash, expected, is_dry_run, actor)
          SELECT id, 'ends', '', '{}', false, 'operator:ada' FROM supplier RETURNING *
        )
        INSERT INTO submission_event (submission_id, number, supplier_id, event, counts, reconciled, transaction_id)
        SELECT id, number, supplier_id, 'FINISHED', '{}', CASE WHEN number = 1 THEN true END,
          CASE WHEN number = 1 THEN 1 END FROM submission, generate_series(1, 3) number`);
    });

    it.each(['event', 'counts', 'occurred_at', 'supplier_id', 'number'])(
      'may not change its %s',
      async (column) => {
        const statement = `UPDATE submission_event SET ${column} = ${column} WHERE number = 2`;
        expect(await codeOf(application, statement)).toBe(INSUFFICIENT_PRIVILEGE);
      },
    );

    it('may complete it, or remove it, until the feed has shown it', async () => {
      const complete = (number: number) =>
        `UPDATE submission_event SET reconciled = false, transaction_id = 2 WHERE number = ${number}`;
      const remove = (number: number) => `DELETE FROM submission_event WHERE number = ${number}`;
      for (const statement of [complete(1), remove(1)]) {
        expect(await codeOf(application, statement)).toBe(INSUFFICIENT_PRIVILEGE);
        expect(await codeOf(owner, statement)).toBe(INSUFFICIENT_PRIVILEGE);
      }
      expect(await codeOf(application, complete(2))).toBeUndefined();
      expect(await codeOf(application, remove(2))).toBe(INSUFFICIENT_PRIVILEGE);
      expect(await codeOf(application, remove(3))).toBeUndefined();
      const { rows } = await owner.query('SELECT number, reconciled FROM submission_event ORDER BY number');
      expect(rows).toEqual([
        { number: 1, reconciled: true },
        { number: 2, reconciled: false },
      ]);
    });
  });

  it('may read and add audit entries and events', async () => {
    await application.query(
      `INSERT INTO audit_entry (actor, action) VALUES ('operator:ada', 'organisation.create')`,
    );
    expect((await application.query('SELECT actor FROM audit_entry')).rowCount).toBeGreaterThan(0);
    expect((await application.query('SELECT event FROM import_process_event')).rows).toEqual([]);
  });

  it('may read, add, change and delete rows of every other table', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
        AND NOT (has_table_privilege('portage_app', oid, 'SELECT') AND has_table_privilege('portage_app', oid, 'INSERT')
          AND has_table_privilege('portage_app', oid, 'UPDATE') AND has_table_privilege('portage_app', oid, 'DELETE'))
      ORDER BY relname`);
    expect(rows.map(({ name }) => name)).toEqual([
      'audit_entry',
      'import_process_event',
      'migrations',
      'submission_event',
    ]);
  });
});

describe('npm run migrate', () => {
  /** An empty database whose owner is an ordinary role. */
  async function newOwnedDatabase(rights = 'CREATEROLE'): Promise<{ ownerUrl: string; name: string }> {
    const administrator = await connect(process.env['PORTAGE_TEST_POSTGRES']!);
    const name = newName();
    await administrator.query(`CREATE ROLE ${name} LOGIN ${rights} PASSWORD 'secret'`);
    await administrator.query(`CREATE DATABASE ${name} OWNER ${name}`);
    const url = new URL(process.env['PORTAGE_TEST_POSTGRES']!);
    url.pathname = `/${name}`;
    return { ownerUrl: urlAs(url.href, name), name };
  }

  const run = async (databaseUrl: string, ownerUrl?: string) =>
    migrate({ ...settings, DATABASE_URL: databaseUrl, MIGRATION_DATABASE_URL: ownerUrl });

  it('creates the role of DATABASE_URL, with its password and its rights, as an owner that is no superuser', async () => {
    const { ownerUrl } = await newOwnedDatabase();
    const role = newName();
    const password = `p'w"$1 ü%`;
    const databaseUrl = urlAs(ownerUrl, role, encodeURIComponent(password));
    expect(await run(databaseUrl, ownerUrl)).toEqual({
      ran: expect.arrayContaining([expect.any(String)]),
      applicationRole: role,
    });
    const application = await connect(databaseUrl);
    expect(await codeOf(application, 'DELETE FROM audit_entry')).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await codeOf(application, 'DELETE FROM organisation')).toBeUndefined();
    expect(await codeOf(application, 'DROP SCHEMA public CASCADE')).toBe(INSUFFICIENT_PRIVILEGE);
    expect(await run(databaseUrl, ownerUrl)).toEqual({ ran: [], applicationRole: role });
  });

  it('separates the roles of an installation that had one', async () => {
    const { ownerUrl } = await newOwnedDatabase();
    expect(await run(ownerUrl)).toMatchObject({ applicationRole: undefined });
    expect(await run(ownerUrl, ownerUrl)).toMatchObject({ ran: [], applicationRole: undefined });
    const role = newName();
    expect(await run(urlAs(ownerUrl, role), ownerUrl)).toEqual({ ran: [], applicationRole: role });
    const application = await connect(urlAs(ownerUrl, role));
    expect(await codeOf(application, 'TRUNCATE import_process_event')).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it('takes back rights that the role has by a mistake', async () => {
    const { ownerUrl } = await newOwnedDatabase();
    const role = newName();
    await run(urlAs(ownerUrl, role), ownerUrl);
    await (await connect(ownerUrl)).query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    await run(urlAs(ownerUrl, role), ownerUrl);
    const application = await connect(urlAs(ownerUrl, role));
    expect(await codeOf(application, 'UPDATE audit_entry SET actor = actor')).toBe(INSUFFICIENT_PRIVILEGE);
  });

  it.each([
    ['a superuser', async (role: string) => `ALTER ROLE ${role} SUPERUSER`],
    ['a role that may create roles', async (role: string) => `ALTER ROLE ${role} CREATEROLE`],
    ['a member of the owner', async (role: string, owner: string) => `GRANT ${owner} TO ${role}`],
  ])('refuses %s as the role of DATABASE_URL, and changes nothing', async (_what, statement) => {
    const { ownerUrl, name } = await newOwnedDatabase();
    const role = newName();
    const administrator = await connect(process.env['PORTAGE_TEST_POSTGRES']!);
    await administrator.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    await administrator.query(await statement(role, name));
    await expect(run(urlAs(ownerUrl, role), ownerUrl)).rejects.toThrow(
      'is a superuser, may create roles, or',
    );
    const owner = await connect(ownerUrl);
    expect((await owner.query(`SELECT to_regclass('audit_entry') AS found`)).rows).toEqual([{ found: null }]);
  });

  it('refuses a role of DATABASE_URL that owns tables', async () => {
    const { ownerUrl, name } = await newOwnedDatabase();
    await run(ownerUrl);
    const other = newName();
    const administrator = await connect(process.env['PORTAGE_TEST_POSTGRES']!);
    await administrator.query(`CREATE ROLE ${other} LOGIN SUPERUSER PASSWORD 'secret'`);
    await administrator.query(`ALTER DATABASE ${name} OWNER TO ${other}`);
    await administrator.query(`ALTER ROLE ${name} NOCREATEROLE`);
    await expect(run(ownerUrl, urlAs(ownerUrl, other))).rejects.toThrow('owns tables');
  });

  it('says how to create the role if the owner may not', async () => {
    const { ownerUrl } = await newOwnedDatabase('');
    await expect(run(urlAs(ownerUrl, 'missing_role'), ownerUrl)).rejects.toThrow(
      `As an administrator, run: CREATE ROLE "missing_role" LOGIN PASSWORD '...'`,
    );
  });
});

describe('applicationRoleOf', () => {
  it('is the decoded user of DATABASE_URL', () => {
    expect(applicationRoleOf('postgres://a%40b:p%3Aw@db/portage', 'postgres://owner@db/portage')).toEqual({
      name: 'a@b',
      password: 'p:w',
    });
    expect(applicationRoleOf('postgres://a@db/portage', 'postgres://owner@db/portage')).toEqual({
      name: 'a',
      password: undefined,
    });
  });

  it('is undefined if both URLs have the same user', () => {
    expect(applicationRoleOf('postgres://a:1@db/portage', 'postgres://a:2@other/portage')).toBeUndefined();
    expect(applicationRoleOf('postgres://db/portage', 'postgres://db/portage')).toBeUndefined();
  });

  it('requires both URLs to name a user', () => {
    expect(() => applicationRoleOf('postgres://db/portage', 'postgres://owner@db/portage')).toThrow(
      'must both name their role',
    );
  });
});
