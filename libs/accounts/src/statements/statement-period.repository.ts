import { Injectable } from '@nestjs/common';
import { Database, type Executor, type LocalDate, type Statement, translateErrors } from '@portage/platform';
import { ImportSupplierEntity } from '@portage/tenants';
import type { BillingCycle, Period } from './billing-cycle';

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

/** A statement period to be stored. */
export interface NewPeriod {
  account_id: string;
  ledger_position: number;
  position: number;
  start_date: LocalDate;
  end_date: LocalDate;
  is_closed: boolean;
  closing_balance: string | null;
}

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

const close: Statement = {
  name: 'close-statement-periods',
  text: `
    UPDATE statement_period period SET closed_at = now(), closing_balance = ended.balance
    FROM unnest($1::bigint[], $2::integer[], $3::integer[], $4::numeric[])
      AS ended (account_id, ledger_position, position, balance)
    WHERE period.account_id = ended.account_id AND period.ledger_position = ended.ledger_position
      AND period.position = ended.position AND period.closed_at IS NULL`,
};

const open: Statement = {
  name: 'open-statement-periods',
  text: `
    INSERT INTO statement_period (account_id, ledger_position, position, start_date, end_date, closed_at, closing_balance)
    SELECT account_id, ledger_position, position, start_date, end_date, CASE WHEN is_closed THEN now() END,
      closing_balance
    FROM json_to_recordset($1::json) AS new (account_id bigint, ledger_position integer, position integer,
      start_date date, end_date date, is_closed boolean, closing_balance numeric)`,
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
    await executor.run(close, [
      ended.map(({ accountId }) => accountId),
      ended.map(({ ledgerPosition }) => ledgerPosition),
      ended.map(({ position }) => position),
      ended.map(({ balance }) => balance),
    ]);
    await executor.run(open, [JSON.stringify(following)]);
  }
}
