import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../deploy/deployment';

const ROOT = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Subjects whose statements the record lists by files; those of operators are pages (0222). */
const SOURCE = /^libs\/(?!operators|testing|account-schema)[a-z-]+\/src\/.*(?<!spec)\.ts$/;

/** A statement, or a function that builds some. */
const STATEMENT = /: Statement(?: =|> =| => \(\{)|\): Statement \{/;

/** The subjects in the order in which they may import one another. */
const SUBJECTS = [
  ...(/const SUBJECTS = \[([^\]]*)\]/.exec(read('.dependency-cruiser.cjs'))?.[1] ?? '').matchAll(
    /'([a-z-]+)'/g,
  ),
].map(([, subject]) => subject);

/** Hints to the planner. Migrations have none that sessions plan again. */
const TRICK = /OFFSET 0|\|\| ''|\bAS MATERIALIZED\b/;

describe('The decision record of named SQL (0234)', () => {
  const record = read('docs/adr/0234-name-the-sql-of-batches.md');
  const listed = [...record.matchAll(/`([a-z-]+\/src\/[^`]+\.ts)`/g)].map(([, path]) => `libs/${path}`);
  const source = trackedFiles().filter((path) => SOURCE.test(path) && !path.includes('/migrations/'));

  it('lists the files that name statements, and no others', () => {
    const naming = source.filter((path) => STATEMENT.test(read(path)) && /\btext:/.test(read(path)));
    expect(listed.toSorted()).toEqual(naming.toSorted());
  });

  it('says how many they are, which are 80 with those of operators', () => {
    const table = [...record.matchAll(/\.ts` \| (\d+) \|/g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    const [, libraries, operators] = /(\d+) statements of 164 have a name, and the (\d+) of operators/.exec(
      record,
    )!;
    expect(table).toBe(Number(libraries));
    const ofOperators = trackedFiles().filter((path) => /^libs\/operators\/src\/.*(?<!spec)\.ts$/.test(path));
    const count = ofOperators.flatMap(
      (path) => read(path).match(/: Statement(?: =|> =| => \(\{)/g) ?? [],
    ).length;
    expect(count).toBe(Number(operators));
    expect(table + count).toBeLessThanOrEqual(80);
  });

  it('lists every file with a hint to the planner', () => {
    expect(source.filter((path) => TRICK.test(read(path)) && !listed.includes(path))).toEqual([]);
  });

  it('has no query of tables of a later subject besides those that 0204 lists', () => {
    const tables = trackedFiles()
      .filter((path) => path.endsWith('.entity.ts'))
      .flatMap((path) =>
        [...read(path).matchAll(/@Entity\('(\w+)'/g)].map(([, table]) => ({
          table,
          subject: subjectOf(path),
        })),
      );
    const isOfLater = (path: string) =>
      tables.some(
        ({ table, subject }) =>
          subject > subjectOf(path) &&
          new RegExp(`(FROM|JOIN|INTO|UPDATE|USING) "?${table}\\b|table: '${table}'`).test(read(path)),
      );
    const found = source.filter(isOfLater).map((path) => path.slice('libs/'.length));
    const exceptions = read('docs/adr/0204-one-folder-a-subject.md');
    expect(found.filter((path) => !exceptions.includes(`\`${path}\``))).toEqual([]);
    expect(tables.length).toBeGreaterThan(40);
  });
});

function subjectOf(path: string): number {
  return SUBJECTS.indexOf(path.split('/')[1]);
}
