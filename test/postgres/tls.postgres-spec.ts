import { execFileSync } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram, type TestedBackend } from '@portage/testing';
import { Client } from 'pg';
import {
  BACKENDS,
  BOOK_COUNTS,
  failureOf,
  importSampleBook,
  ProductionPostgres,
} from './production-postgres';

const RUN_TIMEOUT_MS = 240_000;

let postgres: ProductionPostgres;
let directory: string;

beforeAll(async () => {
  postgres = await ProductionPostgres.start();
  ({ directory } = postgres);
  createAuthority('ca');
  createAuthority('other-ca');
  const data = join(directory, 'data');
  const { uid, gid } = statSync(data);
  for (const file of ['server.key', 'server.pem']) chownSync(join(directory, file), uid, gid);
  await postgres.server.stop();
  // Nothing connects without TLS.
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  await postgres.server.restart({
    ssl: 'on',
    ssl_cert_file: join(directory, 'server.pem'),
    ssl_key_file: join(directory, 'server.key'),
  });
}, RUN_TIMEOUT_MS);
afterAll(async () => {
  await postgres.stop();
});

/** A certificate authority, and with the first one the server's certificate for the name localhost. */
function createAuthority(name: string): void {
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.pem`, '-subj', `/CN=${name}`);
  if (name !== 'ca') return;
  openssl('req', ...key.slice(0, 3), '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
  writeFileSync(join(directory, 'names.txt'), 'subjectAltName=DNS:localhost\n');
  const signedBy = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.txt'];
  openssl('x509', '-req', '-in', 'server.csr', '-days', '2', ...signedBy, '-out', 'server.pem');
}

function verified(url: string, host = 'localhost', authority = 'ca'): string {
  const named = url.replace('@127.0.0.1:', `@${host}:`);
  return `${named}?sslmode=verify-full&sslrootcert=${join(directory, `${authority}.pem`)}`;
}

function settingsOf(database: string, host?: string, authority?: string): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: verified(postgres.applicationUrl(database), host, authority),
    MIGRATION_DATABASE_URL: verified(postgres.ownerUrl(database), host, authority),
  };
}

describe('PostgreSQL behind TLS', () => {
  it.each<TestedBackend>(BACKENDS)(
    'every connection is encrypted and checks the server, queue in %s',
    async (backend) => {
      const database = `tls_${backend}`;
      const owner = new Client({ connectionString: verified(postgres.ownerUrl('postgres')) });
      await owner.connect();
      await owner.query(`CREATE DATABASE ${database}`);
      postgres.migrate(settingsOf(database));
      const portage = await postgres.startPortage(
        database,
        backend,
        {
          DATABASE_URL: settingsOf(database)['DATABASE_URL'],
        },
        verified(postgres.ownerUrl(database)),
      );
      try {
        expect(await importSampleBook(portage)).toEqual(BOOK_COUNTS);
        const { rows } = await owner.query<{ name: string; ssl: boolean }>(
          `SELECT DISTINCT regexp_replace(application_name, ' [0-9a-f]{8}$', '') AS name, ssl
           FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
           WHERE datname = $1 AND application_name LIKE 'portage%' ORDER BY 1`,
          [database],
        );
        expect(rows).toEqual(
          ['portage', 'portage change feed', ...(backend === 'postgres' ? ['portage queues'] : [])].map(
            (name) => ({ name, ssl: true }),
          ),
        );
      } finally {
        await portage.stop();
        await owner.end();
      }
    },
    RUN_TIMEOUT_MS,
  );

  it.each([
    ['another authority', 'localhost', 'other-ca', /self-signed certificate|unable to verify/],
    ['another host name', '127.0.0.1', 'ca', /IP: 127\.0\.0\.1 is not in the cert's list/],
  ])(
    'a server with the certificate of %s is refused by migrations, command line, API and worker',
    async (_what, host, authority, message) => {
      const env = { ...settingsOf('postgres', host, authority), PORTAGE_DIR: directory };
      const outputs = await Promise.all([
        failureOf(builtProgram('cli', 'migrate'), [], env),
        failureOf(builtProgram('cli'), ['organisation', 'list'], env),
        failureOf(builtProgram('api'), [], { ...env, API_PORT: '0' }),
        failureOf(builtProgram('worker'), [], { ...env, WORKER_PORT: '0' }),
      ]);
      for (const output of outputs) expect(output).toMatch(message);
    },
    RUN_TIMEOUT_MS,
  );
});
