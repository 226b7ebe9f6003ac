import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importSampleBook } from '../sample-book';
import type { Scenario } from '../scenario';

const DEBIAN = '/usr/lib/postgresql';
/** Folders with initdb and pg_ctl: those of POSTGRES_BINARIES, separated by colons, and those of Debian's packages. */
const FOLDERS = [
  ...(process.env['POSTGRES_BINARIES'] ?? '').split(':').filter(Boolean),
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []),
].filter((folder) => existsSync(join(folder, 'initdb')));

const NONE: Scenario = {
  title: 'the sample book is imported by an installed version of PostgreSQL',
  minutes: 1,
  missing: () =>
    'there is no version of PostgreSQL; install the Debian package postgresql, or name folders of programs in POSTGRES_BINARIES',
  run: async () => Promise.resolve(undefined),
};

export default FOLDERS.length === 0
  ? { 'postgres-version': NONE }
  : Object.fromEntries(FOLDERS.map((folder) => importWith(folder)));

function importWith(binaries: string): [string, Scenario] {
  const printed = execFileSync(join(binaries, 'initdb'), ['--version'], { encoding: 'utf8' });
  const version = printed.trim().split(' ')[2] ?? '';
  return [
    `postgres-${version}`,
    {
      title: `the sample book is imported by PostgreSQL ${version}`,
      minutes: 1,
      backends: ['postgres'],
      run: async ({ install }) => {
        await importSampleBook(await install({ postgres: { binaries } }));
        return undefined;
      },
    },
  ];
}
