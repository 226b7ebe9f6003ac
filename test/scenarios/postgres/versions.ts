import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { importSampleBook } from '../sample-book';
import type { Scenario } from '../scenario';

const DEBIAN = '/usr/lib/postgresql';

/** The folders with a program: of those in POSTGRES_BINARIES, separated by colons, and those of Debian's packages. */
export function foldersWith(program: string): string[] {
  return [
    ...(process.env['POSTGRES_BINARIES'] ?? '').split(':').filter(Boolean),
    ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []),
  ].filter((folder) => existsSync(join(folder, program)));
}

/** The version of a program in a folder, such as 15.18. */
export function versionOf(folder: string, program: string): string {
  const printed = execFileSync(join(folder, program), ['--version'], { encoding: 'utf8' });
  return printed.trim().split(' ')[2] ?? '';
}

const FOLDERS = foldersWith('initdb');

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
  const version = versionOf(binaries, 'initdb');
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
