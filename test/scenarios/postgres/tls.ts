import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtProgram } from '@portage/testing';
import { createCertificates, type PostgresNeeds } from '@portage/testing/installation';
import { failureOf } from '../programs';
import { importSampleBook } from '../sample-book';
import type { Scenario } from '../scenario';

/** The URL of a server at `host`, whose certificate must be one of `authority`. */
function verified(directory: string, url: string, host = 'localhost', authority = 'ca'): string {
  const { username, password, port, pathname } = new URL(url);
  const server = `postgres://${username}:${password}@${host}:${port}${pathname}`;
  return `${server}?sslmode=verify-full&sslrootcert=${join(directory, authority, 'ca.pem')}`;
}

/** Nothing connects without TLS. */
const requireTls: NonNullable<PostgresNeeds['prepare']> = async (server, directory) => {
  createCertificates(join(directory, 'other-ca'), 'DNS:localhost');
  const { certificate, key } = createCertificates(join(directory, 'ca'), 'DNS:localhost');
  const data = join(directory, 'postgres');
  const { uid, gid } = statSync(data);
  for (const file of [certificate, key]) chownSync(file, uid, gid);
  await server.stop();
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n');
  await server.restart({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key });
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
      `SELECT DISTINCT application_name AS name, ssl
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
