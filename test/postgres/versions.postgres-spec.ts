import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram, TestPortage } from '@portage/testing';
import { freePort } from '@portage/testing/local-environment';
import { BOOK_COUNTS, importSampleBook } from './production-postgres';

const RUN_TIMEOUT_MS = 240_000;
const DEBIAN = '/usr/lib/postgresql';
/** Folders with initdb and pg_ctl: those of POSTGRES_BINARIES, separated by colons, and those of Debian's packages. */
const FOLDERS = [
  ...(process.env['POSTGRES_BINARIES'] ?? '').split(':').filter(Boolean),
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []),
].filter((folder) => existsSync(join(folder, 'initdb')));

/** PostgreSQL does not run as root. In a user namespace root has another name and still owns its files. */
const AS =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'] : [];

function run(folder: string, program: string, ...args: string[]): string {
  const [command = '', ...rest] = [...AS, join(folder, program), ...args];
  return execFileSync(command, rest, {
    cwd: '/',
    encoding: 'utf8',
    // A server that is started would keep pipes open.
    stdio: program === 'pg_ctl' ? 'ignore' : 'pipe',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  });
}

const versions = FOLDERS.map((folder) => ({
  folder,
  version:
    execFileSync(join(folder, 'initdb'), ['--version'], { encoding: 'utf8' }).trim().split(' ')[2] ?? '',
}));

describe('the sample book is imported, with the queue in PostgreSQL', () => {
  it('by at least one version', () => {
    expect(versions).not.toEqual([]);
  });

  it.each(versions)(
    'by $version',
    async ({ folder }) => {
      const directory = mkdtempSync(join(tmpdir(), 'portage-version-'));
      const data = join(directory, 'data');
      mkdirSync(data, { mode: 0o700 });
      writeFileSync(join(directory, 'password'), 'test', { mode: 0o600 });
      const port = await freePort();
      const url = (role: string, password: string, database: string) =>
        `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
      run(
        folder,
        'initdb',
        '-D',
        data,
        '-U',
        'owner',
        '--locale=C',
        '--encoding=UTF8',
        '--auth=scram-sha-256',
        `--pwfile=${join(directory, 'password')}`,
      );
      const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=100`;
      run(folder, 'pg_ctl', '-D', data, '-l', join(directory, 'server.log'), '-w', '-o', settings, 'start');
      let portage: TestPortage | undefined;
      try {
        const { PATH, HOME } = process.env;
        const DATABASE_URL = url('portage_app', 'application', 'postgres');
        const owner = url('owner', 'test', 'postgres');
        execFileSync(process.execPath, [builtProgram('cli', 'migrate')], {
          env: { PATH, HOME, PORTAGE_DIR: directory, DATABASE_URL, MIGRATION_DATABASE_URL: owner },
        });
        portage = await TestPortage.start({ backend: 'postgres', databaseUrl: owner, env: { DATABASE_URL } });
        expect(await importSampleBook(portage)).toEqual(BOOK_COUNTS);
      } finally {
        await portage?.stop();
        run(folder, 'pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
        rmSync(directory, { recursive: true, force: true });
      }
    },
    RUN_TIMEOUT_MS,
  );
});
