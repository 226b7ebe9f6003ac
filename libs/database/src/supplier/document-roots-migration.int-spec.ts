import { execFileSync } from 'node:child_process';
import { DataSource } from 'typeorm';
import { builtProgram, newDatabase } from '@portage/testing';
import { dataSourceOptions } from '../data-source';

/** The migrations up to and including the one under test, counted from the newest. */
async function undoDocumentRoots(dataSource: DataSource): Promise<void> {
  for (;;) {
    const [newest] = await dataSource.query<{ name: string }[]>(
      'SELECT name FROM migrations ORDER BY id DESC LIMIT 1',
    );
    await dataSource.undoLastMigration();
    if (newest?.name === 'DocumentRoots1795392000000') return;
  }
}

describe('the migration to separate document roots', () => {
  let url: string;
  let dataSource: DataSource;

  /** Stores suppliers as an earlier release does, each `[organisation, code, root]`, and migrates. */
  async function migrateSuppliers(all: readonly (readonly [string, string, string])[]): Promise<void> {
    for (const [organisation, code, root] of all)
      await dataSource.query(
        `WITH owner AS (
           INSERT INTO organisation (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = EXCLUDED.name RETURNING id
         )
         INSERT INTO import_supplier (organisation_id, code, region, creation_mode, profile, document_root, currency,
           time_zone, verify_documents, reject_undocumented_fields, send_migration_emails)
         SELECT id, $2, 'GB', 'direct', 'core', $3, 'GBP', 'Europe/London', false, false, false FROM owner`,
        [organisation, code, root],
      );
    await dataSource.runMigrations({ transaction: 'each' });
  }
  /** The output of `migrate` for a migrated database. */
  const report = () =>
    execFileSync(process.execPath, [builtProgram('cli', 'migrate')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], DATABASE_URL: url },
    });
  const roots = async () => {
    const rows = await dataSource.query<{ code: string; root: string; previous: string | null }[]>(
      'SELECT code, document_root AS root, previous_document_root AS previous FROM import_supplier ORDER BY id',
    );
    return rows.map(({ code, root, previous }) => [code, root, previous]);
  };

  beforeEach(async () => {
    url = await newDatabase();
    const settings = { DATABASE_URL: url, DATABASE_POOL: 2, DATABASE_STATEMENT_TIMEOUT_MS: 30_000 };
    dataSource = await new DataSource(dataSourceOptions(settings, () => undefined)).initialize();
    await undoDocumentRoots(dataSource);
  });
  afterEach(async () => {
    await dataSource.destroy();
  });

  it('retains roots that are apart, without slashes at their ends', async () => {
    await migrateSuppliers([
      ['One', 'A', 'a'],
      ['One', 'B', 'a/nested'],
      ['Two', 'C', '/c/2026/'],
    ]);
    expect(await roots()).toEqual([
      ['A', 'a', null],
      ['B', 'a/nested', null],
      ['C', 'c/2026', null],
    ]);
    expect(report()).toBe('The database is up to date.\n');
  });

  it('makes a root from the code of each supplier without one, and reports it', async () => {
    await migrateSuppliers([
      ['One', 'LEGACY', ''],
      ['Two', 'Über GmbH', '/'],
      ['Three', 'odd', 'a//b'],
      ['Four', 'own', 'own'],
    ]);
    expect(await roots()).toEqual([
      ['LEGACY', 'LEGACY', ''],
      ['Über GmbH', expect.stringMatching(/^ber-GmbH-[0-9a-f]{8}$/), ''],
      ['odd', 'odd', 'a//b'],
      ['own', 'own', null],
    ]);
    const lines = report().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(
      /^The document roots of 3 suppliers have been changed .* Move their documents:$/,
    );
    expect(lines.slice(2, 4)).toEqual([
      '  "LEGACY": from "" (the whole store) to "LEGACY"',
      '  "odd": from "a//b" (not canonical) to "odd"',
    ]);
    expect(lines[5]).toContain('supplier document-roots');
  });

  it('moves all suppliers of a conflict between organisations, and never into a folder that was used', async () => {
    await migrateSuppliers([
      ['One', 'A', 'shared'],
      ['Two', 'B', 'Shared/inside'],
      ['Two', 'C', 'apart'],
      ['Three', 'apart', 'SHARED'],
    ]);
    expect(await roots()).toEqual([
      ['A', 'A', 'shared'],
      ['B', 'B', 'Shared/inside'],
      ['C', 'apart', null],
      ['apart', 'apart-2', 'SHARED'],
    ]);
    expect(report()).toContain('  "A": from "shared" (in conflict with "B", "apart") to "A"\n');
  });

  it('lets the oldest of several suppliers of one organisation retain their root', async () => {
    await migrateSuppliers([
      ['One', 'A', 'shared'],
      ['One', 'B', 'shared'],
    ]);
    expect(await roots()).toEqual([
      ['A', 'shared', null],
      ['B', 'B', 'shared'],
    ]);
  });

  it('can be undone, with the former roots', async () => {
    await migrateSuppliers([['One', 'A', '']]);
    await undoDocumentRoots(dataSource);
    expect(await dataSource.query('SELECT document_root FROM import_supplier')).toEqual([
      { document_root: '' },
    ]);
  });
});
