import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  newDirectory,
  REPOSITORY as ROOT,
  SharedPortage,
  storeErrored,
  storeWaiting,
  until,
} from '@portage/testing';
import { Client } from 'pg';

const CLI = join(ROOT, 'dist', 'apps', 'cli', 'src', 'main.js');
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/);

/** What `process release`, `cancel` and `retry` print as JSON. */
const result = (action: string, changed: number, skipped = {}) => ({
  action,
  changed,
  skipped,
  without_job: 0,
  remaining: false,
  next_cursor: null,
});

const portage = SharedPortage.use('postgres', { PORTAGE_OPERATOR: 'ada' });

/** Runs a command that must fail. Returns its standard error. */
async function refused(status: number, ...args: string[]): Promise<string> {
  const result = await portage.cli(...args);
  expect([args.join(' '), result.status, result.stdout]).toEqual([args.join(' '), status, '']);
  expect(result.stderr).not.toMatch(/\n\s+at /);
  return result.stderr;
}

describe('organisations and keys', () => {
  it('are created and listed, keys by their prefix only', async () => {
    const name = `Größe & Söhne ${portage.supplier}`;
    expect(await portage.operator('organisation', 'create', name)).toEqual({ name, created_at: TIMESTAMP });
    const organisations = (await portage.operator('organisation', 'list')) as { name: string }[];
    const own = [portage.organisation, name];
    expect(organisations.map((one) => one.name).filter((one) => own.includes(one))).toEqual(own);

    const issued = await portage.operator('api-key', 'issue', '--organisation', name);
    expect(issued).toEqual({ api_key: expect.stringMatching(/^portage_[a-z2-7]{8}_[a-z2-7]{47}$/) });
    const prefix = String(issued.api_key).split('_')[1]!;
    expect(await portage.operator('api-key', 'revoke', prefix)).toEqual({ prefix, revoked: true });
    const { stdout } = await portage.cli('api-key', 'list', '--json');
    const keys = JSON.parse(stdout) as { organisation: string }[];
    expect(keys.filter(({ organisation }) => own.includes(organisation))).toEqual([
      {
        prefix: portage.apiKey.split('_')[1],
        organisation: portage.organisation,
        created_at: TIMESTAMP,
        revoked_at: null,
      },
      { prefix, organisation: name, created_at: TIMESTAMP, revoked_at: TIMESTAMP },
    ]);
    expect(stdout).not.toContain(issued.api_key);
  });

  it('are refused with a message that names the next command', async () => {
    const messages = await Promise.all([
      refused(1, 'organisation', 'create', portage.organisation, '--json'),
      refused(1, 'organisation', 'create', 'x'.repeat(129)),
      refused(1, 'api-key', 'issue', '--organisation', 'Unknown Ltd', '--json'),
      refused(1, 'api-key', 'revoke', 'nosuchkey'),
    ]);
    expect(messages[0]).toBe(`The organisation "${portage.organisation}" exists already.\n`);
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
    currency: 'GBP',
    time_zone: 'Europe/London',
    verify_documents: false,
    reject_undocumented_fields: false,
    send_migration_emails: false,
    retain_payload_days: null,
    v1_error_format: 'standard',
    max_processing_accounts: null,
    corrections: true,
  };

  it('are created with every option, changed one by one, and shown', async () => {
    const FULL = `${portage.supplier}-FULL`;
    const created = await portage.operator(
      'supplier',
      'create',
      FULL,
      '--organisation',
      portage.organisation,
      '--region',
      'DE',
      '--creation-mode',
      'staged',
      '--profile',
      'gb-energy',
      '--document-root',
      `${FULL}/root`,
      '--currency',
      'EUR',
      '--time-zone',
      'Europe/Berlin',
      '--verify-documents',
      '--reject-undocumented-fields',
      '--send-migration-emails',
      '--retain-payload-days',
      '30',
      '--v1-error-format',
      'fields',
      '--max-processing-accounts',
      '4',
      '--no-corrections',
    );
    const full = {
      code: FULL,
      status: 'Ongoing',
      region: 'DE',
      creation_mode: 'staged',
      profile: 'gb-energy',
      document_root: `${FULL}/root`,
      currency: 'EUR',
      time_zone: 'Europe/Berlin',
      verify_documents: true,
      reject_undocumented_fields: true,
      send_migration_emails: true,
      retain_payload_days: 30,
      v1_error_format: 'fields',
      max_processing_accounts: 4,
      corrections: false,
    };
    expect(created).toMatchObject(full);
    const changed = await portage.operator(
      'supplier',
      'set',
      FULL,
      '--creation-mode',
      'direct',
      '--no-send-migration-emails',
    );
    expect(changed).toMatchObject({ ...full, creation_mode: 'direct', send_migration_emails: false });
    expect(await portage.operator('supplier', 'show', FULL)).toEqual(changed);
    const keeping = await portage.operator('supplier', 'set', FULL, '--retain-payload-days', 'none');
    expect(keeping).toMatchObject({ retain_payload_days: null });
    expect(await refused(1, 'supplier', 'set', FULL, '--retain-payload-days', '1.5')).toBe(
      '--retain-payload-days must be none, or a whole number from 0 to 36500.\n',
    );
    expect(await refused(1, 'supplier', 'set', FULL, '--max-processing-accounts', '0')).toBe(
      '--max-processing-accounts must be none, or a whole number from 1 to 1000000.\n',
    );
    expect(await refused(1, 'supplier', 'set', FULL, '--v1-error-format', 'xml')).toBe(
      '--v1-error-format must be one of standard, fields.\n',
    );
    expect(await portage.operator('supplier', 'set-status', FULL, 'Complete')).toMatchObject({
      ...full,
      retain_payload_days: null,
      creation_mode: 'direct',
      send_migration_emails: false,
      status: 'Complete',
    });
    const listed = (await portage.operator('supplier', 'list')) as { code: string }[];
    expect(listed.filter(({ code }) => code.startsWith(portage.supplier))).toMatchObject([
      { code: portage.supplier, ...DEFAULTS, document_root: portage.supplier },
      { code: FULL },
    ]);
  });

  it('are refused with a message that names the error', async () => {
    const { supplier, organisation } = portage;
    const create = ['supplier', 'create', supplier, '--organisation', organisation];
    expect(
      await Promise.all([
        refused(1, ...create, '--json'),
        refused(1, ...create, '--region', 'XX'),
        refused(1, 'supplier', 'set-status', supplier, 'Sleeping'),
        refused(1, 'supplier', 'show', 'UNKNOWN', '--json'),
      ]),
    ).toEqual([
      `The supplier code ${supplier} is taken. Change that supplier with: supplier set ${supplier}\n`,
      '--region must be an ISO 3166 country code such as GB.\n',
      'The status must be one of Ongoing, Paused, Complete.\n',
      'There is no such import supplier.\n',
    ]);
  });
});

let suppliers = 0;

describe('processes', () => {
  it('processes that failed are listed and retried by their error code', async () => {
    const option = ['--supplier', portage.supplier];
    await storeErrored(portage, ['later'], { code: 'error', detail: 'x' });
    const failed = await portage.operator('process', 'list', ...option, '--error-code', 'error');
    expect(failed).toMatchObject([{ external_account_number: 'later', error_code: 'error' }]);
    const { stdout: table } = await portage.cli('process', 'list', ...option, '--error-code', 'error');
    expect(table).toMatch(/received_at[^]* later [^]* 20\d\d-\d\d-\d\dT/);
    const retry = async (errorCode: string) =>
      portage.operator('process', 'retry', ...option, '--error-code', errorCode);
    expect(await retry('other')).toEqual(result('retry', 0));

    expect(await retry('error')).toEqual(result('retry', 1));
    await portage.waitForAccount('later', 'PROCESSED');
  });

  it('are changed only with an explicit selection', async () => {
    const { supplier } = portage;
    const option = ['--supplier', supplier];
    const messages = await Promise.all([
      refused(1, 'process', 'cancel', ...option, '--json'),
      refused(1, 'process', 'list', '--supplier', 'UNKNOWN', '--json'),
      refused(1, 'process', 'show', ...option, '--external-account-number', 'unknown', '--json'),
      refused(1, 'process', 'cancel', '--supplier', 'UNKNOWN', '--all'),
      refused(1, 'process', 'retry', ...option, '--external-account-number', 'one', '--all'),
    ]);
    expect(messages).toEqual([
      'Select the processes to cancel: --external-account-number N, --status S, --error-code C, --submission I, --first N, or --all.\n',
      'There is no such import supplier.\n',
      'The supplier has no such import process.\n',
      'There is no supplier UNKNOWN. List them with: supplier list\n',
      '--external-account-number selects one process. It cannot be combined with another selection.\n',
    ]);
  });

  it('processes that have not begun are counted before their supplier is complete', async () => {
    const code = await portage.addSupplier(`WAITS-${suppliers++}`);
    await storeWaiting(portage, 3, { supplier: code });
    const complete = ['supplier', 'set-status', code, 'Complete'];
    expect(await refused(1, ...complete)).toBe(
      `Accounts of ${code} that have not begun: 3. They end with import_supplier_migration_not_ongoing. ` +
        'There is no terminal to confirm at. Run the command without confirmation with: --yes\n',
    );
    expect(await portage.operator('supplier', 'show', code)).toMatchObject({ status: 'Ongoing' });
    expect(await portage.operator(...complete, '--yes')).toMatchObject({ status: 'Complete' });
  });
});

describe('thousands of processes', () => {
  const COUNT = 6_000;

  /** Creates a supplier with {@link COUNT} pending processes. Returns its code. */
  async function largeSupplier(): Promise<string> {
    const code = await portage.addSupplier(`MANY-${suppliers++}`);
    await storeWaiting(portage, COUNT, { supplier: code, prefix: 'N-' });
    return code;
  }

  it('are listed as one JSON value, from the newest on, and without an error when the reader closes the pipe', async () => {
    const code = await largeSupplier();
    const listed = await portage.operator('process', 'list', '--supplier', code);
    expect(listed.map((one: Record<string, string>) => one['external_account_number'])).toEqual(
      Array.from({ length: COUNT }, (_, place) => `N-${COUNT - place}`),
    );
    const { stdout, stderr } = await piped(`process list --supplier ${code}`, 'head -n 3');
    expect(stdout).toContain('external_account_number');
    expect(stderr).toBe('');
  });

  it('are cancelled in batches; Ctrl-C ends the command after the current batch, and it can be repeated', async () => {
    const code = await largeSupplier();
    const cancelled = async () =>
      (
        await portage.sql(
          `SELECT 1 FROM import_process_event WHERE event = 'CANCELLED' AND process_id IN
             (SELECT process.id FROM import_process process JOIN import_supplier supplier ON supplier.id = supplier_id
              WHERE code = $1)`,
          [code],
        )
      ).length;
    // A lock on the 1,200th process makes the command wait in its third batch.
    const holder = new Client({ connectionString: portage.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query(
      `SELECT 1 FROM import_process process JOIN import_supplier supplier ON supplier.id = supplier_id
       WHERE code = $1 AND external_account_number = 'N-1200' FOR UPDATE OF process`,
      [code],
    );
    const many = ['--supplier', code, '--all'];
    const command = spawn(process.execPath, [CLI, 'process', 'cancel', ...many, '--json'], {
      env: portage.env,
    });
    const printed = { stdout: '', stderr: '' };
    command.stdout.on('data', (text: Buffer) => (printed.stdout += text.toString()));
    command.stderr.on('data', (text: Buffer) => (printed.stderr += text.toString()));
    const ended = once(command, 'exit');
    await until(
      async () => (await cancelled()) >= 1_000,
      async () => `${await cancelled()} processes were cancelled`,
    );
    command.kill('SIGINT');
    await sleep(300);
    expect(command.exitCode).toBeNull();
    await holder.query('ROLLBACK');
    await holder.end();
    expect(await ended).toEqual([1, null]);
    expect(JSON.parse(printed.stdout)).toEqual({ ...result('cancel', 1_500), remaining: true });
    expect(printed.stderr).toBe('Stopped after 1500 processes. Run the command again to continue.\n');
    expect(await cancelled()).toBe(1_500);

    expect(await portage.operator('process', 'cancel', ...many)).toEqual(result('cancel', COUNT - 1_500));
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
  it('reports a missing database in one sentence', async () => {
    const directory = newDirectory();
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
  });
});
