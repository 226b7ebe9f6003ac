import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { account, TestPortage, until } from '@portage/testing';

const ROOT = join(__dirname, '..', '..');
const CLI = join(ROOT, 'dist', 'apps', 'cli', 'src', 'main.js');
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/);

let portage: TestPortage;

beforeAll(async () => {
  portage = await TestPortage.start({ backend: 'postgres', env: { PORTAGE_OPERATOR: 'ada' } });
});
afterAll(async () => {
  await portage.stop();
});

/** Runs a command that must fail. Returns its standard error. */
async function refused(status: number, ...args: string[]): Promise<string> {
  const result = await portage.cli(...args);
  expect([args.join(' '), result.status, result.stdout]).toEqual([args.join(' '), status, '']);
  expect(result.stderr).not.toMatch(/\n\s+at /);
  return result.stderr;
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

  it('are refused with a message that names the next command', async () => {
    const messages = await Promise.all([
      refused(1, 'organisation', 'create', 'Supplier Ltd', '--json'),
      refused(1, 'organisation', 'create', 'x'.repeat(129)),
      refused(1, 'api-key', 'issue', '--organisation', 'Unknown Ltd', '--json'),
      refused(1, 'api-key', 'revoke', 'nosuchkey'),
    ]);
    expect(messages[0]).toBe('The organisation "Supplier Ltd" exists already.\n');
    expect(messages[2]).toContain('List them with: organisation list');
    expect(messages[3]).toContain('List them with: api-key list');
  });
});

describe('suppliers', () => {
  const DEFAULTS = {
    status: 'Ongoing',
    region: 'GB',
    creation_mode: 'direct',
    profile: 'core',
    document_root: 'LEGACY',
    previous_document_root: null,
    currency: 'GBP',
    time_zone: 'Europe/London',
    verify_documents: false,
    reject_undocumented_fields: false,
    send_migration_emails: false,
    retain_payload_days: null,
    v1_error_format: 'standard',
    max_processing_accounts: null,
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
      ...['--send-migration-emails', '--retain-payload-days', '30'],
      ...['--v1-error-format', 'fields', '--max-processing-accounts', '4'],
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
      retain_payload_days: 30,
      v1_error_format: 'fields',
      max_processing_accounts: 4,
    };
    expect(created).toMatchObject(full);
    const changed = await portage.operator(
      ...['supplier', 'set', 'FULL', '--creation-mode', 'direct', '--no-send-migration-emails'],
    );
    expect(changed).toMatchObject({ ...full, creation_mode: 'direct', send_migration_emails: false });
    expect(await portage.operator('supplier', 'show', 'FULL')).toEqual(changed);
    const keeping = await portage.operator('supplier', 'set', 'FULL', '--retain-payload-days', 'none');
    expect(keeping).toMatchObject({ retain_payload_days: null });
    expect(await refused(1, 'supplier', 'set', 'FULL', '--retain-payload-days', '1.5')).toBe(
      '--retain-payload-days must be none, or a whole number from 0 to 36500.\n',
    );
    expect(await refused(1, 'supplier', 'set', 'FULL', '--max-processing-accounts', '0')).toBe(
      '--max-processing-accounts must be none, or a whole number from 1 to 1000000.\n',
    );
    expect(await refused(1, 'supplier', 'set', 'FULL', '--v1-error-format', 'xml')).toBe(
      '--v1-error-format must be one of standard, fields.\n',
    );
    expect(await portage.operator('supplier', 'set-status', 'FULL', 'Complete')).toMatchObject({
      ...full,
      retain_payload_days: null,
      creation_mode: 'direct',
      send_migration_emails: false,
      status: 'Complete',
    });
    const listed = await portage.operator('supplier', 'list');
    expect(listed).toMatchObject([{ code: 'FULL' }, { code: 'LEGACY', ...DEFAULTS }]);
    expect(await portage.operator('supplier', 'document-roots')).toEqual([
      { code: 'FULL', document_root: 'full/root', previous_document_root: null, conflicts_with: [] },
      { code: 'LEGACY', document_root: 'LEGACY', previous_document_root: null, conflicts_with: [] },
    ]);
  });

  it('are refused with a message that names the error', async () => {
    const create = ['supplier', 'create', 'LEGACY', '--organisation', 'Supplier Ltd'];
    expect(
      await Promise.all([
        refused(1, ...create, '--json'),
        refused(1, ...create, '--region', 'XX'),
        refused(1, 'supplier', 'set-status', 'LEGACY', 'Sleeping'),
        refused(1, 'supplier', 'show', 'UNKNOWN', '--json'),
      ]),
    ).toEqual([
      'The supplier code LEGACY is taken. Change that supplier with: supplier set LEGACY\n',
      '--region XX is not an ISO 3166 country code such as GB.\n',
      'The status must be one of Ongoing, Paused, Complete.\n',
      'There is no supplier UNKNOWN. List them with: supplier list\n',
    ]);
  });
});

describe('processes', () => {
  const SUPPLIER_OPTION = ['--supplier', 'STAGED'];

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
    const all = await portage.operator('process', 'list', ...SUPPLIER_OPTION);
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
    expect(await portage.operator('process', 'list', ...SUPPLIER_OPTION, '--status', 'ERRORED')).toEqual([]);
    const { stdout } = await portage.cli('process', 'list', ...SUPPLIER_OPTION, '--status', 'PENDING');
    expect(stdout).toBe('PENDING           later  \nPENDING           latest  \n2 processes\n');
  });

  it('are released individually or together, each once', async () => {
    const one = [...SUPPLIER_OPTION, '--external-account-number', 'one'];
    expect(await portage.operator('process', 'release', ...one)).toEqual({ released: 1, skipped: {} });
    await portage.waitFor('PROCESSED', 1);
    expect(await refused(1, 'process', 'release', ...one, '--json')).toBe(
      'The process one of STAGED is PROCESSED. Only a process that is DRY_RUN_SUCCEEDED can be released.\n',
    );
    expect(await portage.operator('process', 'release', ...SUPPLIER_OPTION, '--all')).toEqual({
      released: 2,
      skipped: { PENDING: 2, PROCESSED: 1 },
    });
    await portage.waitFor('PROCESSED', 3);
    const { stdout } = await portage.cli('process', 'release', ...SUPPLIER_OPTION, '--all');
    expect(stdout).toBe('0 processes released.\n3 skipped: PROCESSED.\n2 skipped: PENDING.\n');
  });

  it('are shown with all their events', async () => {
    const output = await portage.operator(
      'process',
      'show',
      ...SUPPLIER_OPTION,
      '--external-account-number',
      'one',
    );
    expect(output).toMatchObject({
      external_account_number: 'one',
      status: 'PROCESSED',
      platform_account_number: expect.stringMatching(/^A-[0-9a-f]{8}$/),
      version: 2,
      is_dry_run: false,
    });
    const BY: Record<string, string> = {
      SCHEDULED: `api-key:${portage.apiKey.split('_')[1]}`,
      RELEASED: 'operator:ada',
    };
    expect(output.events).toEqual(
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
        actor: BY[event as string] ?? null,
      })),
    );
  });

  it('are cancelled by status, and a bulk retry skips cancelled ones unless it selects them', async () => {
    const steer = async (...args: string[]) => portage.operator('process', ...args);
    expect(await steer('cancel', ...SUPPLIER_OPTION, '--status', 'PENDING')).toEqual({
      cancelled: 2,
      skipped: {},
    });
    expect(await steer('retry', ...SUPPLIER_OPTION, '--all')).toEqual({
      retried: 0,
      skipped: { CANCELLED: 2, PROCESSED: 3 },
    });
    expect(await steer('retry', ...SUPPLIER_OPTION, '--status', 'CANCELLED')).toEqual({
      retried: 2,
      skipped: {},
    });
    // The retried processes wait for their schedule window again.
    await portage.waitFor('PENDING', 2);
  });

  it('that were posted as a dry run are not released, and the message names the alternative', async () => {
    const payload = account('dry-run-first', { import_supplier: 'STAGED' });
    await portage.schedule({ payload, task_params: { is_dry_run: true } });
    await portage.waitFor('DRY_RUN_SUCCEEDED', 1);
    const one = [...SUPPLIER_OPTION, '--external-account-number', 'dry-run-first'];
    expect(await refused(1, 'process', 'release', ...one)).toBe(
      'The process dry-run-first of STAGED was posted with is_dry_run: true, so it ends with its dry run. ' +
        'Post the account again without is_dry_run.\n',
    );
    expect(
      await portage.operator('process', 'release', ...SUPPLIER_OPTION, '--status', 'DRY_RUN_SUCCEEDED'),
    ).toEqual({
      released: 0,
      skipped: { is_dry_run: 1 },
    });
    await portage.schedule(payload);
    await portage.waitFor('DRY_RUN_SUCCEEDED', 1);
    expect(await portage.operator('process', 'release', ...one)).toEqual({ released: 1, skipped: {} });
    await portage.waitFor('PROCESSED', 4);
  });

  it('that failed are listed and retried by their error code', async () => {
    await portage.sql(`UPDATE import_process SET status = 'DRY_RUN_ERRORED', error_code = 'error', error_detail = 'x',
      latest_event = 'ERRORED', schedule_window_start = NULL WHERE external_account_number = 'later'`);
    const failed = await portage.operator('process', 'list', ...SUPPLIER_OPTION, '--error-code', 'error');
    expect(failed).toMatchObject([{ external_account_number: 'later', error_code: 'error' }]);
    const retry = async (code: string) =>
      portage.operator('process', 'retry', ...SUPPLIER_OPTION, '--error-code', code);
    expect(await retry('other')).toEqual({ retried: 0, skipped: {} });

    const { stdout: report } = await portage.cli('supplier', 'report', 'STAGED');
    expect(report).toMatch(/PROCESSED\s*│ 4 /);
    expect(report).toMatch(/last hour, per minute\s*│ [█▇▆▅▄▃▂▁·]{60} /);
    expect(report).toMatch(/│ error\s*│ 1\s*│ later\s*│ x /);
    expect(await portage.operator('supplier', 'report', 'STAGED')).toMatchObject({
      supplier: 'STAGED',
      processes: { PROCESSED: 4, DRY_RUN_ERRORED: 1, PENDING: 1 },
      waiting_for_window: 1,
      errors: [{ code: 'error', count: 1, example: { external_account_number: 'later', detail: 'x' } }],
      seconds_left: 0,
    });
    const file = join(portage.directory, 'failed.csv');
    expect(await portage.operator('supplier', 'report', 'STAGED', '--csv', file)).toEqual({
      file,
      accounts: 1,
    });
    expect(readFileSync(file, 'utf8')).toMatch(
      /^"external_account_number","external_identifier","status","code","detail","modified_at"\n"later","later","DRY_RUN_ERRORED","error","x","2\S+ \S+"\n$/,
    );
    expect(await retry('error')).toEqual({ retried: 1, skipped: {} });
    await portage.waitFor('DRY_RUN_SUCCEEDED', 1);
  });

  it('are changed only with an explicit selection', async () => {
    const messages = await Promise.all([
      refused(1, 'process', 'cancel', ...SUPPLIER_OPTION, '--json'),
      refused(1, 'process', 'list', '--supplier', 'UNKNOWN', '--json'),
      refused(1, 'process', 'show', ...SUPPLIER_OPTION, '--external-account-number', 'unknown', '--json'),
      refused(1, 'process', 'cancel', '--supplier', 'UNKNOWN', '--all'),
      refused(1, 'process', 'retry', ...SUPPLIER_OPTION, '--external-account-number', 'one', '--all'),
    ]);
    expect(messages).toEqual([
      'Select the processes to cancel: --external-account-number N, --status S, --error-code C, or --all.\n',
      'There is no supplier UNKNOWN. List them with: supplier list\n',
      'Supplier STAGED has no process for the account number unknown.\n',
      'There is no supplier UNKNOWN. List them with: supplier list\n',
      '--external-account-number selects one process. It cannot be combined with --status, --error-code and --all.\n',
    ]);
  });

  it('are not retried or released while their supplier is paused', async () => {
    await portage.operator('supplier', 'set-status', 'STAGED', 'Paused');
    try {
      expect(await refused(1, 'process', 'retry', ...SUPPLIER_OPTION, '--all')).toContain(
        'STAGED is Paused, so nothing can be retried. Reopen it first with: supplier set-status STAGED Ongoing',
      );
    } finally {
      await portage.operator('supplier', 'set-status', 'STAGED', 'Ongoing');
    }
  });
});

describe('thousands of processes', () => {
  const COUNT = 6_000;
  const MANY = ['--supplier', 'MANY'];

  beforeAll(async () => {
    await portage.operator('supplier', 'create', 'MANY', '--organisation', 'Supplier Ltd');
    // Their schedule window has not opened, so no worker starts them.
    await portage.sql(
      `INSERT INTO import_process (supplier_id, external_account_number, external_identifier, payload_hash, is_dry_run,
         status, latest_event, schedule_window_start, enqueued_at)
       SELECT id, 'N-' || n, 'N-' || n, '', false, 'PENDING', 'CREATED', now() + interval '1 day', now() + interval '1 day'
       FROM import_supplier, generate_series(1, $1) n WHERE code = 'MANY'`,
      [COUNT],
    );
  });

  const cancelled = async () =>
    (
      await portage.sql(`SELECT 1 FROM import_process_event WHERE event = 'CANCELLED'
      AND process_id IN (SELECT id FROM import_process WHERE external_account_number LIKE 'N-%')`)
    ).length;

  it('are listed as one JSON value, in the order of creation', async () => {
    const listed = await portage.operator('process', 'list', ...MANY);
    expect(listed.map((one: Record<string, string>) => one['external_account_number'])).toEqual(
      Array.from({ length: COUNT }, (_, place) => `N-${place + 1}`),
    );
  });

  it('are listed without an error when the reader closes the pipe', async () => {
    const { stdout, stderr } = await piped(`process list --supplier MANY`, 'head -n 2');
    expect([stdout, stderr]).toEqual(['PENDING           N-1  \nPENDING           N-2  \n', '']);
  });

  it('are cancelled in batches; Ctrl-C ends the command after the current batch, and it can be repeated', async () => {
    // A lock on the 1,200th process makes the command wait in its third batch.
    const holder = new Client({ connectionString: portage.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(`SELECT 1 FROM import_process WHERE external_account_number = 'N-1200' FOR UPDATE`);
    const command = spawn(process.execPath, [CLI, 'process', 'cancel', ...MANY, '--all', '--json'], {
      env: portage.env,
    });
    const printed = { stdout: '', stderr: '' };
    command.stdout.on('data', (text: Buffer) => (printed.stdout += text.toString()));
    command.stderr.on('data', (text: Buffer) => (printed.stderr += text.toString()));
    const ended = once(command, 'exit');
    await until(
      async () => (await cancelled()) >= 1_000,
      30_000,
      async () => `${await cancelled()} processes were cancelled`,
    );
    command.kill('SIGINT');
    await sleep(300);
    expect(command.exitCode).toBeNull();
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await ended).toEqual([1, null]);
    expect(JSON.parse(printed.stdout)).toEqual({ cancelled: 1_500, skipped: {} });
    expect(printed.stderr).toBe('Stopped. 1500 were cancelled. Run the command again to continue.\n');
    expect(await cancelled()).toBe(1_500);

    expect(await portage.operator('process', 'cancel', ...MANY, '--all')).toEqual({
      cancelled: COUNT - 1_500,
      skipped: { CANCELLED: 1_500 },
    });
    expect(await cancelled()).toBe(COUNT);
  });
});

/** Runs a command whose standard output another program reads. */
async function piped(command: string, reader: string): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      'sh',
      ['-c', `"${process.execPath}" "${CLI}" ${command} | ${reader}`],
      { env: portage.env },
      (error, stdout, stderr) => {
        if (error) reject(new Error('The pipe failed', { cause: error }));
        else resolve({ stdout, stderr });
      },
    );
  });
}

describe('the command line itself', () => {
  it('ends an invalid command with status 2 and its usage', async () => {
    const ended = await new Promise<[unknown, string, string]>((resolve) => {
      execFile(
        process.execPath,
        [CLI, 'supplier', 'list', '--nonsense'],
        { env: portage.env },
        (error, out, err) => {
          resolve([error?.code, out, err]);
        },
      );
    });
    expect(ended).toEqual([2, '', expect.stringContaining('--help')]);
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

  it('reports a missing database in one sentence', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'portage-operator-'));
    try {
      const { PATH } = process.env;
      const args = [join(ROOT, 'dist/apps/cli/src/main.js'), 'organisation', 'list', '--json'];
      const result = await new Promise<[unknown, string, string]>((resolve) => {
        execFile(process.execPath, args, { env: { PATH, PORTAGE_DIR: directory } }, (error, out, err) => {
          resolve([error?.code, out, err]);
        });
      });
      expect(result).toEqual([
        1,
        '',
        expect.stringContaining('DATABASE_URL: is missing and no embedded database'),
      ]);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

describe('the audit', () => {
  it('lists actors and actions, the newest first, as one JSON value', async () => {
    const listed = await portage.operator('audit', 'list', '--supplier', 'STAGED');
    expect(listed.at(-1)).toEqual({
      occurred_at: TIMESTAMP,
      actor: 'operator:ada',
      action: 'supplier.create',
      import_supplier: 'STAGED',
      subject: null,
      details: expect.objectContaining({ creation_mode: 'staged' }),
    });
    const actions: string[] = listed.map(({ action }: { action: string }) => action).reverse();
    expect(actions.slice(0, 10)).toEqual([
      'supplier.create',
      ...Array.from({ length: 5 }, () => 'account.schedule'),
      ...['process.release', 'process.release', 'process.release', 'process.cancel'],
    ]);
    const releases = await portage.operator('audit', 'list', '--action', 'process.release');
    expect(
      releases.slice(-3).map(({ subject, details }: Record<string, unknown>) => [subject, details]),
    ).toEqual([
      [null, { steered: 0, skipped: { PENDING: 2, PROCESSED: 3 }, is_complete: true }],
      [null, { steered: 2, skipped: { PENDING: 2, PROCESSED: 1 }, is_complete: true }],
      ['one', {}],
    ]);
    const key = `api-key:${portage.apiKey.split('_')[1]}`;
    const scheduled = await portage.operator('audit', 'list', '--actor', key, '--limit', '3');
    expect(scheduled).toHaveLength(3);
    expect(scheduled[0]).toMatchObject({ actor: key, action: 'account.schedule' });
    expect(await portage.operator('audit', 'list', '--since', '2999-01-01')).toEqual([]);
  });

  it('prints one line per entry, and stops when the reader closes the pipe', async () => {
    const { stdout } = await portage.cli('audit', 'list', '--action', 'process.cancel', '--limit', '1');
    expect(stdout).toMatch(/^\S+ \S+ +operator:ada +process\.cancel +\w+ \{.*"steered":.*\}\n$/);
    expect(await piped('audit list', 'head -n 1')).toEqual({
      stdout: expect.stringMatching(/^[^\n]+\n$/),
      stderr: '',
    });
    expect((await portage.cli('audit', 'list', '--since', '2999-01-01')).stdout).toBe(
      'There are no matching entries.\n',
    );
    expect(await refused(1, 'audit', 'list', '--limit', '0')).toContain('--limit must be a whole number');
  });
});
