import { Database } from '@portage/platform';
import { ImportSuppliers } from '@portage/tenants';
import { importAccounts, scheduleAccount, useApplication } from '@portage/testing/application';
import { ManualClock } from '@portage/testing/manual-clock';
import { StatementPeriodRepository } from './statement-period.repository';
import { RollOverStatementPeriods } from './roll-over-statement-periods';

interface Period {
  start: string | null;
  end: string;
  open: boolean;
  closing: string | null;
}

describe('the roll-over of statement periods', () => {
  const test = useApplication();

  beforeAll(async () => {
    await test.app
      .get(ImportSuppliers)
      .create('KIRITIMATI', 'Supplier Ltd', { timeZone: 'Pacific/Kiritimati' });
  });

  async function imported(number: string, more: object = {}, supplier = 'LEGACY'): Promise<void> {
    await scheduleAccount(test, test.caller, {
      import_supplier: supplier,
      external_account_number: number,
      ...more,
    });
    expect(await importAccounts(test, number)).toEqual(['processed']);
  }

  const rollingOver = (now: string) =>
    new RollOverStatementPeriods(
      test.app.get(Database),
      test.app.get(StatementPeriodRepository),
      new ManualClock(now),
    );

  /** Moves the open period of an account. */
  async function opened(number: string, start: string, end: string): Promise<void> {
    await test.sql(
      `UPDATE statement_period period SET start_date = $2, end_date = $3 FROM account
       WHERE account.id = account_id AND external_account_number = $1 AND closed_at IS NULL`,
      [number, start, end],
    );
  }

  const periods = async (number: string) =>
    test.sql<Period>(
      `SELECT start_date::text AS start, end_date::text AS end, closed_at IS NULL AS open, closing_balance AS closing
       FROM statement_period JOIN account ON account.id = account_id
       WHERE external_account_number = $1 AND position > 0 ORDER BY position`,
      [number],
    );

  it('closes a period that has ended with the balance of its ledger, and opens the next', async () => {
    await imported('ENDED', { last_statement_balance: '12.34', last_statement_closing_date: '2026-09-30' });
    await opened('ENDED', '2026-10-01', '2026-10-31');
    expect(await rollingOver('2026-11-21T12:00:00Z').run()).toBe(1);
    const expected = [
      { start: '2026-10-01', end: '2026-10-31', open: false, closing: '12.34' },
      { start: '2026-11-01', end: '2026-11-30', open: true, closing: null },
    ];
    expect(await periods('ENDED')).toEqual(expected);
    expect(await rollingOver('2026-11-21T12:00:00Z').run()).toBe(0);
    expect(await periods('ENDED')).toEqual(expected);
  });

  it('closes a period on the day after its last day, and not before', async () => {
    await imported('LAST-DAY');
    await opened('LAST-DAY', '2026-11-01', '2026-11-20');
    // London: 23:30 on the 20th, then 00:30 on the 21st.
    expect(await rollingOver('2026-11-20T23:30:00Z').run()).toBe(0);
    expect(await rollingOver('2026-11-21T00:30:00Z').run()).toBe(1);
  });

  it('uses the time zone of each supplier: in Kiritimati the day begins fourteen hours early', async () => {
    await imported('EAST', {}, 'KIRITIMATI');
    await imported('WEST');
    await opened('EAST', '2026-11-01', '2026-11-20');
    await opened('WEST', '2026-11-01', '2026-11-20');
    expect(await rollingOver('2026-11-20T10:30:00Z').run()).toBe(1);
    expect((await periods('WEST')).map(({ open }) => open)).toEqual([true]);
    expect(await rollingOver('2026-11-21T10:30:00Z').run()).toBe(1);
  });

  it('catches up after months without leaving a gap', async () => {
    await imported('BEHIND', {
      account_billing_options: { period_length: 'QUARTERLY', period_start_day: 5, period_start_month: 1 },
    });
    await opened('BEHIND', '2026-01-05', '2026-04-04');
    expect(await rollingOver('2026-11-21T12:00:00Z').run()).toBe(3);
    expect((await periods('BEHIND')).map(({ start, end, open }) => [start, end, open])).toEqual([
      ['2026-01-05', '2026-04-04', false],
      ['2026-04-05', '2026-07-04', false],
      ['2026-07-05', '2026-10-04', false],
      ['2026-10-05', '2027-01-04', true],
    ]);
  });

  it('closes each period once when several workers run concurrently', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => `MANY-${index}`);
    for (const number of numbers) await imported(number);
    for (const number of numbers) await opened(number, '2026-10-01', '2026-10-31');
    const work = rollingOver('2026-11-21T12:00:00Z');
    const closed = await Promise.all(Array.from({ length: 5 }, async () => work.run()));
    // A ledger that another run had locked is rolled over by the next run.
    const rest = await work.run();
    expect(closed.reduce((sum, count) => sum + count, rest)).toBe(numbers.length);
    const open = `statement_period JOIN account ON account.id = account_id
      WHERE external_account_number LIKE 'MANY-%' AND closed_at IS NULL`;
    expect(await test.countRows(open)).toBe(numbers.length);
  });
});
