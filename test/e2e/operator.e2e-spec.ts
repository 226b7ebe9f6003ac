import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { account, TestPortage } from '../support/portage';

const ROOT = join(__dirname, '..', '..');
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/);

let portage: TestPortage;

beforeAll(async () => {
  portage = await TestPortage.start({ backend: 'postgres' });
});
afterAll(async () => {
  await portage.stop();
});

/** Runs a command that must fail, and returns what it said on standard error. */
async function refused(status: number, ...args: string[]): Promise<string> {
  const said = await portage.cli(...args);
  expect([args.join(' '), said.status, said.stdout]).toEqual([args.join(' '), status, '']);
  expect(said.stderr).not.toMatch(/\n\s+at /);
  return said.stderr;
}

describe('organisations and keys', () => {
  it('are created and listed, keys by their prefix only', async () => {
    expect(await portage.operator('organisation', 'create', 'Größe & Söhne')).toEqual({
      name: 'Größe & Söhne',
      created_at: TIMESTAMP,
    });
    const listed = await portage.operator('organisation', 'list');
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Supplier Ltd', 'Größe & Söhne']);

    const issued = await portage.operator('api-key', 'issue', '--organisation', 'Größe & Söhne');
    expect(issued).toEqual({ api_key: expect.stringMatching(/^portage_[a-z2-7]{8}_[a-z2-7]{47}$/) });
    const prefix = String(issued.api_key).split('_')[1]!;
    expect(await portage.operator('api-key', 'revoke', prefix)).toEqual({ prefix, revoked: true });
    const { stdout } = await portage.cli('api-key', 'list', '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        prefix: portage.apiKey.split('_')[1],
        organisation: 'Supplier Ltd',
        created_at: TIMESTAMP,
        revoked_at: null,
      },
      { prefix, organisation: 'Größe & Söhne', created_at: TIMESTAMP, revoked_at: TIMESTAMP },
    ]);
    expect(stdout).not.toContain(issued.api_key);
  });

  it('are refused with a sentence that says how to go on', async () => {
    const said = await Promise.all([
      refused(1, 'organisation', 'create', 'Supplier Ltd', '--json'),
      refused(1, 'organisation', 'create', 'x'.repeat(129)),
      refused(1, 'api-key', 'issue', '--organisation', 'Nobody', '--json'),
      refused(1, 'api-key', 'revoke', 'nosuchkey'),
    ]);
    expect(said[0]).toBe('There is an organisation "Supplier Ltd" already.\n');
    expect(said[2]).toContain('List them with: organisation list');
    expect(said[3]).toContain('List them with: api-key list');
  });
});

describe('suppliers', () => {
  const DEFAULTS = {
    status: 'Ongoing',
    region: 'GB',
    creation_mode: 'direct',
    profile: 'core',
    document_root: '',
    currency: 'GBP',
    time_zone: 'Europe/London',
    verify_documents: false,
    reject_undocumented_fields: false,
    send_migration_emails: false,
  };

  it('are created with every option, changed one by one, and shown', async () => {
    const created = await portage.operator(
      ...['supplier', 'create', 'FULL', '--organisation', 'Supplier Ltd', '--region', 'DE'],
      ...[
        '--creation-mode',
        'staged',
        '--profile',
        'gb-energy',
        '--document-root',
        'full/root',
        '--currency',
        'EUR',
      ],
      ...['--time-zone', 'Europe/Berlin', '--verify-documents', '--reject-undocumented-fields'],
      '--send-migration-emails',
    );
    const full = {
      code: 'FULL',
      status: 'Ongoing',
      region: 'DE',
      creation_mode: 'staged',
      profile: 'gb-energy',
      document_root: 'full/root',
      currency: 'EUR',
      time_zone: 'Europe/Berlin',
      verify_documents: true,
      reject_undocumented_fields: true,
      send_migration_emails: true,
    };
    expect(created).toMatchObject(full);
    const changed = await portage.operator(
      ...['supplier', 'set', 'FULL', '--creation-mode', 'direct', '--no-send-migration-emails'],
    );
    expect(changed).toMatchObject({ ...full, creation_mode: 'direct', send_migration_emails: false });
    expect(await portage.operator('supplier', 'show', 'FULL')).toEqual(changed);
    expect(await portage.operator('supplier', 'set-status', 'FULL', 'Complete')).toMatchObject({
      ...full,
      creation_mode: 'direct',
      send_migration_emails: false,
      status: 'Complete',
    });
    const listed = await portage.operator('supplier', 'list');
    expect(listed).toMatchObject([{ code: 'FULL' }, { code: 'LEGACY', ...DEFAULTS }]);
  });

  it('are refused with a sentence that says what is wrong', async () => {
    const create = ['supplier', 'create', 'LEGACY', '--organisation', 'Supplier Ltd'];
    expect(
      await Promise.all([
        refused(1, ...create, '--json'),
        refused(1, ...create, '--region', 'XX'),
        refused(1, 'supplier', 'set-status', 'LEGACY', 'Sleeping'),
        refused(1, 'supplier', 'show', 'NOBODY', '--json'),
      ]),
    ).toEqual([
      'The supplier code LEGACY is taken. Change that supplier with: supplier set LEGACY\n',
      '--region XX is not an ISO 3166 country code such as GB.\n',
      "A supplier's status is one of Ongoing, Paused, Complete.\n",
      'There is no supplier NOBODY. List them with: supplier list\n',
    ]);
  });
});

describe('processes', () => {
  const MINE = ['--supplier', 'STAGED'];

  beforeAll(async () => {
    await portage.operator(
      ...['supplier', 'create', 'STAGED', '--organisation', 'Supplier Ltd', '--creation-mode', 'staged'],
    );
    const staged = { import_supplier: 'STAGED' };
    for (const number of ['one', 'two', 'three']) await portage.schedule(account(number, staged));
    await portage.waitFor('DRY_RUN_SUCCEEDED', 3);
    const start = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    for (const number of ['later', 'latest'])
      await portage.schedule({
        payload: account(number, staged),
        task_params: { schedule_window_start: start },
      });
  });

  it('are listed in the order of creation, all or those of one status', async () => {
    const all = await portage.operator('process', 'list', ...MINE);
    expect(all.map((one: Record<string, string>) => [one['external_account_number'], one['status']])).toEqual(
      [
        ['one', 'DRY_RUN_SUCCEEDED'],
        ['two', 'DRY_RUN_SUCCEEDED'],
        ['three', 'DRY_RUN_SUCCEEDED'],
        ['later', 'PENDING'],
        ['latest', 'PENDING'],
      ],
    );
    expect(all[0]).toEqual({
      external_account_number: 'one',
      external_identifier: 'one',
      status: 'DRY_RUN_SUCCEEDED',
      platform_account_number: null,
      error_code: null,
      created_at: TIMESTAMP,
      modified_at: TIMESTAMP,
    });
    expect(await portage.operator('process', 'list', ...MINE, '--status', 'ERRORED')).toEqual([]);
    const { stdout } = await portage.cli('process', 'list', ...MINE, '--status', 'PENDING');
    expect(stdout).toBe('PENDING           later  \nPENDING           latest  \n2 processes\n');
  });

  it('are released one by one or all at once, each once', async () => {
    const one = [...MINE, '--external-account-number', 'one'];
    expect(await portage.operator('process', 'release', ...one)).toEqual({ action: 'release', count: 1 });
    await portage.waitFor('PROCESSED', 1);
    expect(await refused(1, 'process', 'release', ...one, '--json')).toBe(
      'The process one of STAGED does not exist or is in no state to release.\n',
    );
    expect(await portage.operator('process', 'release', ...MINE, '--all')).toEqual({
      action: 'release',
      count: 2,
    });
    await portage.waitFor('PROCESSED', 3);
    expect(await portage.operator('process', 'release', ...MINE, '--all')).toEqual({
      action: 'release',
      count: 0,
    });
  });

  it('are shown with everything that happened to them', async () => {
    const shown = await portage.operator('process', 'show', ...MINE, '--external-account-number', 'one');
    expect(shown).toMatchObject({
      external_account_number: 'one',
      status: 'PROCESSED',
      platform_account_number: expect.stringMatching(/^A-[0-9a-f]{8}$/),
      version: 2,
      is_dry_run: false,
    });
    expect(shown.events).toEqual(
      [
        ['SCHEDULED', 1, 0],
        ['STARTED', 1, 1],
        ['DRY_RUN_SUCCEEDED', 1, 1],
        ['RELEASED', 2, 0],
        ['STARTED', 2, 1],
        ['PROCESSED', 2, 1],
      ].map(([event, version, attempt]) => ({
        occurred_at: TIMESTAMP,
        event,
        version,
        attempt,
        error_code: null,
      })),
    );
  });

  it('are cancelled by status, and a bulk retry leaves cancelled ones alone unless they are asked for', async () => {
    const steer = async (...args: string[]) => (await portage.operator('process', ...args)).count as number;
    expect(await steer('cancel', ...MINE, '--status', 'PENDING')).toBe(2);
    expect(await steer('retry', ...MINE, '--all')).toBe(0);
    expect(await steer('retry', ...MINE, '--status', 'CANCELLED')).toBe(2);
    await portage.waitFor('DRY_RUN_SUCCEEDED', 2);
  });

  it('that failed are found and retried by the code they failed with', async () => {
    await portage.sql(`UPDATE import_process SET status = 'DRY_RUN_ERRORED', error_code = 'error', error_detail = 'x',
      latest_event = 'ERRORED' WHERE external_account_number = 'later'`);
    const failed = await portage.operator('process', 'list', ...MINE, '--error-code', 'error');
    expect(failed).toMatchObject([{ external_account_number: 'later', error_code: 'error' }]);
    expect(await portage.operator('process', 'retry', ...MINE, '--error-code', 'other')).toMatchObject({
      count: 0,
    });
    expect(await portage.operator('process', 'retry', ...MINE, '--error-code', 'error')).toMatchObject({
      count: 1,
    });
    await portage.waitFor('DRY_RUN_SUCCEEDED', 2);
  });

  it('are steered only when it is said which', async () => {
    const said = await Promise.all([
      refused(1, 'process', 'cancel', ...MINE, '--json'),
      refused(1, 'process', 'list', '--supplier', 'NOBODY', '--json'),
      refused(1, 'process', 'show', ...MINE, '--external-account-number', 'nobody', '--json'),
      refused(1, 'process', 'cancel', '--supplier', 'NOBODY', '--all'),
    ]);
    expect(said).toEqual([
      'Say which processes to cancel: --external-account-number N, --status S, --error-code C, or --all.\n',
      'There is no supplier NOBODY. List them with: supplier list\n',
      'Supplier STAGED has no process for the account number nobody.\n',
      'There is no supplier NOBODY. List them with: supplier list\n',
    ]);
  });
});

describe('the command line itself', () => {
  it('ends a command that it does not understand with status 2 and says how it is used', async () => {
    expect(await refused(2, 'supplier', 'list', '--nonsense', '--json')).toContain('--help');
  });

  it('draws tables for people', async () => {
    const { stdout } = await portage.cli('supplier', 'list');
    expect(stdout).toMatch(/supplier .* status .* creation mode/);
    expect(stdout).toContain('LEGACY');
  });

  it('prints one JSON value and nothing else, through npm too', async () => {
    const npm = join(process.execPath, '..', 'npm');
    const stdout = await new Promise<string>((resolve, reject) => {
      execFile(
        npm,
        ['run', 'cli', '--', 'organisation', 'list', '--json'],
        { cwd: ROOT, env: portage.env },
        (error, out) => {
          if (error) reject(new Error('npm failed', { cause: error }));
          else resolve(out);
        },
      );
    });
    expect(JSON.parse(stdout)).toEqual(await portage.operator('organisation', 'list'));
  });

  it('says in a sentence that there is no database', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portage-operator-'));
    try {
      const { PATH } = process.env;
      const args = [join(ROOT, 'dist/apps/cli/src/main.js'), 'organisation', 'list', '--json'];
      const said = await new Promise<[unknown, string, string]>((resolve) => {
        execFile(process.execPath, args, { env: { PATH, PORTAGE_DIR: directory } }, (error, out, err) => {
          resolve([error?.code, out, err]);
        });
      });
      expect(said).toEqual([
        1,
        '',
        expect.stringContaining('DATABASE_URL: is missing and no embedded database'),
      ]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});
