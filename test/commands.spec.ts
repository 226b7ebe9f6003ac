import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from './deploy/deployment';

const ROOT = join(__dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Commands that npm has itself. */
const NPM = ['audit', 'ci', 'install', 'pack', 'publish', 'rebuild', 'version'];

/** The names of the scripts that a text runs. */
function scriptsIn(text: string): string[] {
  return [
    ...text.matchAll(/(?:npm(?:'?,? '?|\s)(?:run(?:'?,? '?|\s))?(?:--silent\s)?|build\(')([a-z][a-z:-]+)/g),
  ]
    .map(([, name = '']) => name)
    .filter((name) => name in scripts);
}

/** Scripts that no command of continuous integration runs: the suites that run their programs. */
const RUN_BY_SUITES: Readonly<Record<string, [suite: string, program: string]>> = {
  cli: ['test/npm.spec.ts', "'cli'"],
  migrate: ['test/schema/schema.int-spec.ts', "'migrate.js'"],
  'migration:create': ['test/contributing/contributing.e2e-spec.ts', 'create-migration.mjs'],
  'import-book': ['test/e2e/tenants/import-book.e2e-spec.ts', "builtProgram('importer')"],
  'start:api': ['test/npm.spec.ts', "'start:api'"],
  'start:worker': ['test/npm.spec.ts', "'start:worker'"],
};

/** Scripts that a person watches or whose files a person looks at, and parts or longer forms of what others run. */
const RUN_BY_PERSONS = [
  'bench',
  'dev',
  'format',
  'screenshots',
  'test:console',
  'test:model',
  'test:security',
  'typecheck',
];

describe('The scripts of package.json', () => {
  const run = new Set(scriptsIn(`${read('.ci/run')} ${read('.github/workflows/ci.yml')}`));
  for (const name of run)
    for (const other of scriptsIn(
      `${scripts[name]} ${read('scripts/test.mjs')} ${read('scripts/prepare.mjs')} ${read('Dockerfile')}`,
    ))
      run.add(other);

  it('are run by continuous integration or by a suite, or by persons', () => {
    const known = [...run, ...Object.keys(RUN_BY_SUITES), ...RUN_BY_PERSONS];
    expect(Object.keys(scripts).filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(Object.entries(RUN_BY_SUITES))('has a suite for %s', (_name, [suite, program]) => {
    expect(read(suite)).toContain(program);
  });

  it('are those that the pages name', () => {
    const pages = trackedFiles().filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`(?:[A-Z_]+=\S+ )*npm (?:run\s(?:--silent\s)?)?([a-z][a-z:-]+)/g)].map(
        ([, name = '']) => ({
          page,
          name,
        }),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ name }) => !(name in scripts) && !NPM.includes(name))).toEqual([]);
  });
});
