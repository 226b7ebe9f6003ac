import { Injectable } from '@nestjs/common';
import { Database, type Executor, type LocalDate, type Statement, translateErrors } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import type { BillingCycle, Period } from './billing-cycle';
import { StatementPeriodEntity } from './statement-period.entity';

/** The current day in a supplier's time zone. */
export interface SupplierDay {
  supplierId: number;
  today: LocalDate;
}

/** An open statement period whose last day has passed. */
export interface EndedPeriod extends Period {
  accountId: string;
  ledgerPosition: number;
  position: number;
  balance: string;
  cycle: BillingCycle;
  today: LocalDate;
}

/** A statement period to store. One with a closing balance is closed. */
export type NewPeriod = Omit<StatementPeriodEntity, 'ledger' | 'closedAt'>;

/** Periods of one statement, whose values are parameters. After an outage of months each ledger has several. */
const PERIODS_PER_INSERT = 1_000;

/** The balance of the ledger of a period, whose account is locked. Quoted, because TypeORM takes the name for the relation. */
export const LEDGER_BALANCE = `(SELECT balance FROM "ledger" WHERE "ledger".account_id = statement_period.account_id
  AND "ledger".position = statement_period.ledger_position)`;

const lockEnded: Statement = {
  name: 'lock-ended-statement-periods',
  // Locks the accounts, as adding transactions does, and the periods: another worker may have closed one since this
  // statement began, and only a locked row is checked again. SKIP LOCKED: several workers share the work.
  text: `
    WITH day AS (
      SELECT * FROM unnest($1::integer[], $2::date[]) AS day (supplier_id, today)
    )
    SELECT period.account_id, period.ledger_position, period.position,
      period.start_date::text AS start, period.end_date::text AS end, day.today::text AS today,
      ledger.balance, json_build_object('months', account.cycle_months, 'startDay', account.cycle_start_day,
        'phase', account.cycle_phase) AS cycle
    FROM statement_period period
    JOIN account ON account.id = period.account_id
    JOIN day ON day.supplier_id = account.supplier_id
    JOIN ledger ON ledger.account_id = period.account_id AND ledger.position = period.ledger_position
    WHERE period.closed_at IS NULL AND period.end_date < $3 AND period.end_date < day.today
    ORDER BY period.end_date LIMIT $4
    FOR NO KEY UPDATE OF account, period SKIP LOCKED`,
};

/** The roll-over of statement periods. */
@Injectable()
export class StatementPeriodRepository {
  constructor(private readonly database: Database) {}

  /** The time zone of each supplier. */
  async timeZones(): Promise<{ supplierId: number; timeZone: string }[]> {
    const suppliers = await translateErrors(
      this.database.manager.find(ImportSupplierEntity, { select: { id: true, timeZone: true } }),
    );
    return suppliers.map(({ id: supplierId, timeZone }) => ({ supplierId, timeZone }));
  }

  /** Finds open periods that ended before today, and locks their accounts. Skips accounts that are locked already. */
  async lockEnded(executor: Executor, days: readonly SupplierDay[], limit: number): Promise<EndedPeriod[]> {
    const latest = days.reduce(
      (latestDay, { today }) => (today > latestDay ? today : latestDay),
      '0001-01-01',
    );
    return executor.run<EndedPeriod>(lockEnded, [
      days.map(({ supplierId }) => supplierId),
      days.map(({ today }) => today),
      latest,
      limit,
    ]);
  }

  /** Closes the ended periods, then stores the following ones, so that a ledger never has two open periods. */
  async replace(
    executor: Executor,
    ended: readonly EndedPeriod[],
    following: readonly NewPeriod[],
  ): Promise<void> {
    await executor.manager
      .createQueryBuilder()
      .update(StatementPeriodEntity)
      .set({ closedAt: () => 'now()', closingBalance: () => LEDGER_BALANCE })
      .where(
        `(account_id, ledger_position, position) IN
          (SELECT * FROM unnest(:accounts::bigint[], :ledgers::integer[], :positions::integer[]))`,
        {
          accounts: ended.map(({ accountId }) => accountId),
          ledgers: ended.map(({ ledgerPosition }) => ledgerPosition),
          positions: ended.map(({ position }) => position),
        },
      )
      .execute();
    for (let start = 0; start < following.length; start += PERIODS_PER_INSERT)
      await executor.manager.insert(
        StatementPeriodEntity,
        following.slice(start, start + PERIODS_PER_INSERT).map(({ closingBalance, ...period }) => ({
          ...period,
          closingBalance,
          closedAt: closingBalance === null ? null : () => 'now()',
        })),
      );
  }
}
