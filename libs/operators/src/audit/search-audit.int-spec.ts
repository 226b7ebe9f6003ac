import { CorrectAccount, SteerImportProcesses, TakeBackAccount } from '@portage/imports';
import { ImportSuppliers, OperatorRules, Organisations } from '@portage/tenants';
import { account } from '@portage/testing';
import {
  importAccounts,
  scheduleAccount,
  StoredProcesses,
  useApplication,
} from '@portage/testing/application';
import { DataSource } from 'typeorm';
import { type AuditEntryView, type AuditSearch, SearchAudit } from './search-audit';

/** Smaller than every list of this test, so that each list needs several chunks. */
const CHUNK_ROWS = 2;

const test = useApplication('postgres', { PORTAGE_OPERATOR: 'Ada' });
const processes = new StoredProcesses(test);

async function listed(search: AuditSearch = {}): Promise<AuditEntryView[]> {
  const all: AuditEntryView[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await test.app.get(SearchAudit).search(search, { limit: CHUNK_ROWS, cursor }, CHUNK_ROWS);
    all.push(...page.items);
    if (page.next_cursor === null) return all;
    cursor = page.next_cursor;
  }
}

/** The entries that `work` adds, the oldest first. */
async function recorded(work: () => Promise<unknown>): Promise<object[]> {
  const before = (await listed()).length;
  await work();
  const now = await listed();
  return now
    .slice(0, now.length - before)
    .reverse()
    .map(({ actor, action, import_supplier: supplier, subject, details }) => ({
      actor,
      action,
      supplier,
      subject,
      details,
    }));
}

const BY_ADA = { actor: 'operator:Ada', supplier: null, subject: null, details: {} };

describe('the audit trail', () => {
  it('has who created an organisation, and issued and revoked a key, by its prefix', async () => {
    let prefix = '';
    const organisations = test.app.get(Organisations);
    const entries = await recorded(async () => {
      await organisations.create('Other Ltd');
      await organisations.issueApiKey('Other Ltd');
      prefix = (await organisations.listApiKeys()).at(-1)!.key.prefix;
      await organisations.revokeApiKey(prefix);
    });
    expect(entries).toEqual([
      { ...BY_ADA, action: 'organisation.create', subject: 'Other Ltd' },
      { ...BY_ADA, action: 'api-key.issue', subject: prefix, details: { organisation: 'Other Ltd' } },
      { ...BY_ADA, action: 'api-key.revoke', subject: prefix },
    ]);
  });

  it('has who changed a supplier: each setting with its value before and after', async () => {
    const suppliers = test.app.get(ImportSuppliers);
    const entries = await recorded(async () => {
      await suppliers.create('CHANGED', 'Supplier Ltd', { region: 'DE' });
      await suppliers.set('CHANGED', { region: 'DE', currency: 'EUR' });
      await suppliers.setStatus('CHANGED', 'Paused');
    });
    expect(entries).toEqual([
      {
        ...BY_ADA,
        action: 'supplier.create',
        supplier: 'CHANGED',
        details: expect.objectContaining({ region: 'DE', currency: 'GBP' }),
      },
      {
        ...BY_ADA,
        action: 'supplier.set',
        supplier: 'CHANGED',
        details: { currency: { from: 'GBP', to: 'EUR' } },
      },
      {
        ...BY_ADA,
        action: 'supplier.set-status',
        supplier: 'CHANGED',
        details: { status: { from: 'Ongoing', to: 'Paused' } },
      },
    ]);
  });

  it('has who changed rule settings and reference data', async () => {
    const rules = test.app.get(OperatorRules);
    const entries = await recorded(async () => {
      await rules.setInstanceSettings(['check_file_paths=true']);
      await rules.setInstanceSettings(['check_file_paths=']);
      await rules.importReferenceData(JSON.stringify({ payment_vendors: ['STRIPE'] }));
      await rules.removeReferenceData('payment_vendors');
    });
    expect(entries).toEqual([
      { ...BY_ADA, action: 'instance.set', details: { check_file_paths: true } },
      { ...BY_ADA, action: 'instance.set', details: { check_file_paths: null } },
      { ...BY_ADA, action: 'reference.import', details: { lists: { payment_vendors: 1 } } },
      { ...BY_ADA, action: 'reference.remove', subject: 'payment_vendors' },
    ]);
  });

  it('has who scheduled an account, from the event of the process instead of an entry', async () => {
    const schedule = async (nickname: string) =>
      scheduleAccount(test, { ...test.caller, actor: `api-key:${nickname}` }, account('again', { nickname }));
    const entries = await recorded(async () => {
      await schedule('one');
      await schedule('one');
      await schedule('two');
    });
    const about = { action: 'account.schedule', supplier: 'LEGACY', subject: 'again' };
    expect(entries).toEqual([
      { ...about, actor: 'api-key:one', details: { version: 1 } },
      { ...about, actor: 'api-key:two', details: { version: 2 } },
    ]);
    expect(await processes.sql(`SELECT 1 FROM audit_entry WHERE action = 'account.schedule'`)).toEqual([]);
  });

  it('has who corrected an account and where, without values, and who took it back', async () => {
    const schedule = { ...account('mended'), customers: [{ given_name: 'Maeve', family_name: 'Aldous' }] };
    await scheduleAccount(test, test.caller, schedule);
    await importAccounts(test, 'mended');
    const supplier = { ...test.caller, actor: 'api-key:supplier' };
    const entries = await recorded(async () => {
      const body = { ...schedule, customers: [{ given_name: 'Maeve', family_name: 'Reed' }] };
      await test.app.get(CorrectAccount).correct(supplier, 'LEGACY', 'mended', { body, ifMatch: undefined });
      await importAccounts(test, 'mended');
      await test.app.get(TakeBackAccount).takeBack(supplier, 'LEGACY', 'mended');
    });
    const about = { actor: 'api-key:supplier', supplier: 'LEGACY', subject: 'mended' };
    const details = { version: 2, is_dry_run: false, change_count: 1, paths: ['customers.0.family_name'] };
    expect(entries).toEqual([
      { ...about, action: 'account.correct', details },
      { ...about, action: 'account.take_back', details: {} },
    ]);
    expect(await listed({ action: 'account.correct' })).toMatchObject([{ details }]);
    expect(await listed({ action: 'account.correct', by: 'people' })).toEqual([]);
  });

  it('has who steered one process, and nothing of a refused action', async () => {
    const steering = test.app.get(SteerImportProcesses);
    const entries = await recorded(async () => {
      await steering.steerOne('cancel', 'LEGACY', 'again');
      await expect(steering.steerOne('cancel', 'LEGACY', 'again')).rejects.toThrow('is CANCELLED');
    });
    expect(entries).toEqual([
      { ...BY_ADA, action: 'process.cancel', supplier: 'LEGACY', subject: 'again', details: {} },
    ]);
  });

  it('has one entry for a command on many processes, and the actor in the event of each process', async () => {
    await processes.removeAll();
    for (let count = 0; count < 3; count += 1) await processes.inState('ERRORED');
    await processes.inState('PENDING');
    const retry = async () =>
      test.app.get(SteerImportProcesses).steer('retry', { supplier: 'LEGACY', errorCode: 'error' });
    const expected = { error_code: 'error', steered: 3, skipped: {}, is_complete: true };
    expect(await recorded(retry)).toEqual([
      { ...BY_ADA, action: 'process.retry', supplier: 'LEGACY', details: expected },
    ]);
    const actors = await processes.sql(
      `SELECT actor, count(*)::integer FROM import_process_event WHERE event = 'RETRIED' GROUP BY actor`,
    );
    expect(actors).toEqual([{ actor: 'operator:Ada', count: 3 }]);
  });

  it('has the completed part of a command that was stopped', async () => {
    const entries = await recorded(async () =>
      test.app
        .get(SteerImportProcesses)
        .steer('cancel', { supplier: 'LEGACY' }, { signal: AbortSignal.abort() }),
    );
    expect(entries).toMatchObject([{ details: { steered: 0, is_complete: false } }]);
  });

  it('has nothing that was rolled back', async () => {
    await processes.sql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'no'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON audit_entry EXECUTE FUNCTION refuse()`);
    try {
      const { name } = { name: 'Without a record Ltd' };
      await expect(test.app.get(Organisations).create(name)).rejects.toThrow('no');
      await expect(test.app.get(ImportSuppliers).set('LEGACY', { currency: 'EUR' })).rejects.toThrow('no');
      expect((await test.app.get(Organisations).list()).map((one) => one.name)).not.toContain(name);
      expect(await processes.sql(`SELECT currency FROM import_supplier WHERE code = 'LEGACY'`)).toEqual([
        { currency: 'GBP' },
      ]);
    } finally {
      await processes.sql('DROP TRIGGER refuse ON audit_entry; DROP FUNCTION refuse()');
    }
  });
});

describe('the list of audited actions', () => {
  it('is sorted by time, the newest first, across chunks and both sources', async () => {
    await processes.removeAll();
    for (let count = 0; count < 7; count += 1) {
      await processes.inState('PENDING');
      await test.app.get(OperatorRules).setInstanceSettings(['check_file_paths=']);
    }
    const all = await listed();
    expect(all.map(({ occurred_at }) => occurred_at)).toEqual(
      all
        .map(({ occurred_at }) => occurred_at)
        .sort()
        .reverse(),
    );
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(all.length);
    expect(all.slice(0, 14).map(({ action }) => action)).toEqual(
      Array.from({ length: 7 }, () => ['instance.set', 'account.schedule']).flat(),
    );
  });

  it('has only entries that match the filters', async () => {
    const all = await listed();
    const where = (isWanted: (one: AuditEntryView) => boolean) => all.filter(isWanted);
    expect(await listed({ supplier: 'LEGACY' })).toEqual(where((one) => one.import_supplier === 'LEGACY'));
    expect(await listed({ actor: 'api-key:test' })).toEqual(where((one) => one.actor === 'api-key:test'));
    expect(await listed({ actor: 'test' })).toEqual(await listed({ actor: 'api-key:test' }));
    expect(await listed({ actor: 'tes' })).toEqual([]);
    for (const action of ['account.schedule', 'instance.set'] as const)
      expect(await listed({ action })).toEqual(where((one) => one.action === action));
    const day = new Date(`${all[0]!.occurred_at.slice(0, 10)}T00:00:00Z`);
    expect(await listed({ since: day })).toEqual(all);
    expect(await listed({ until: day })).toEqual([]);
    expect(await listed({ since: new Date('2999-01-01') })).toEqual([]);
  });
});

describe('the events of a process, which the audit trail reads', () => {
  it.each([
    ['changed', `UPDATE import_process_event SET actor = 'unknown'`],
    ['deleted', 'DELETE FROM import_process_event WHERE event = $$SCHEDULED$$'],
    ['truncated', 'TRUNCATE import_process_event'],
    ['truncated with their processes', 'TRUNCATE import_process CASCADE'],
    [
      'deleted in a replica session',
      `SET session_replication_role = replica; DELETE FROM import_process_event`,
    ],
  ])('cannot be %s', async (_what, statement) => {
    await processes.inState('PENDING');
    const before = await listed({ action: 'account.schedule' });
    expect(before.length).toBeGreaterThan(0);
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      await expect(runner.query(statement)).rejects.toThrow(
        'The table import_process_event is only ever added to.',
      );
      await runner.query('RESET session_replication_role');
    } finally {
      await runner.release();
    }
    expect(await listed({ action: 'account.schedule' })).toEqual(before);
  });
});

describe('an audit entry', () => {
  it.each([
    ['changed', `UPDATE audit_entry SET actor = 'unknown'`],
    ['deleted', 'DELETE FROM audit_entry WHERE id = (SELECT min(id) FROM audit_entry)'],
    ['truncated', 'TRUNCATE audit_entry'],
    ['deleted in a replica session', `SET session_replication_role = replica; DELETE FROM audit_entry`],
  ])('cannot be %s', async (_what, statement) => {
    const before = await listed({ actor: 'operator:Ada' });
    expect(before.length).toBeGreaterThan(0);
    const runner = test.app.get(DataSource).createQueryRunner();
    try {
      await expect(runner.query(statement)).rejects.toThrow('The table audit_entry is only ever added to.');
      await runner.query('RESET session_replication_role');
    } finally {
      await runner.release();
    }
    expect(await listed({ actor: 'operator:Ada' })).toEqual(before);
  });
});
