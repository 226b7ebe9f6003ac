import { execFileSync } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram } from '@portage/testing';
import type { PostgresNeeds } from '@portage/testing/installation';
import { failureOf } from '../programs';
import { importSampleBook } from '../sample-book';
import type { Scenario } from '../scenario';

/** Authorities, with the first one the server's certificate for the name localhost. */
const AUTHORITIES = ['ca', 'other-ca'] as const;

function createAuthority(directory: string, name: (typeof AUTHORITIES)[number]): void {
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

/** The URL of a server at `host`, whose certificate must be one of `authority`. */
function verified(directory: string, url: string, host = 'localhost', authority = 'ca'): string {
  const { username, password, port, pathname } = new URL(url);
  const server = `postgres://${username}:${password}@${host}:${port}${pathname}`;
  return `${server}?sslmode=verify-full&sslrootcert=${join(directory, `${authority}.pem`)}`;
}

/** Nothing connects without TLS. */
const requireTls: NonNullable<PostgresNeeds['prepare']> = async (server, directory) => {
  for (const authority of AUTHORITIES) createAuthority(directory, authority);
  const data = join(directory, 'postgres');
  const { uid, gid } = statSync(data);
  for (const file of ['server.key', 'server.pem']) chownSync(join(directory, file), uid, gid);
  await server.stop();
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  await server.restart({
    ssl: 'on',
    ssl_cert_file: join(directory, 'server.pem'),
    ssl_key_file: join(directory, 'server.key'),
  });
  return (url) => verified(directory, url);
};

const WRONG = [
  ['localhost', 'other-ca', /self-signed certificate|unable to verify/],
  ['127.0.0.1', 'ca', /IP: 127\.0\.0\.1 is not in the cert's list/],
] as const;

export default {
  title: 'every connection to PostgreSQL is encrypted and checks the server',
  minutes: 1,
  run: async ({ backend, install }) => {
    const installation = await install({ postgres: { prepare: requireTls } });
    await importSampleBook(installation);
    const rows = await installation.sql(
      `SELECT DISTINCT regexp_replace(application_name, ' [0-9a-f]{8}$', '') AS name, ssl
       FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
       WHERE datname = current_database() AND application_name LIKE 'portage%' ORDER BY 1`,
    );
    expect(rows).toEqual(
      ['portage', 'portage change feed', ...(backend === 'postgres' ? ['portage queues'] : [])].map(
        (name) => ({ name, ssl: true }),
      ),
    );
    // A server with the certificate of another authority or host is refused by each program.
    const { directory, servers } = installation;
    for (const [host, authority, message] of WRONG) {
      const env = {
        DATABASE_URL: verified(directory, servers.database.url, host, authority),
        MIGRATION_DATABASE_URL: verified(directory, servers.database.ownerUrl, host, authority),
        PORTAGE_DIR: directory,
      };
      const outputs = await Promise.all([
        failureOf(builtProgram('cli', 'migrate'), [], env),
        failureOf(builtProgram('cli'), ['organisation', 'list'], env),
        failureOf(builtProgram('api'), [], { ...env, API_PORT: '0' }),
        failureOf(builtProgram('worker'), [], { ...env, WORKER_PORT: '0' }),
      ]);
      for (const output of outputs) expect(output).toMatch(message);
    }
    return undefined;
  },
} satisfies Scenario;
