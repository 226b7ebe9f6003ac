import { Inject, Injectable } from '@nestjs/common';
import { dayIn } from '@portage/account-schema/service';
import { type Clock, CLOCK, Database } from '@portage/platform';
import { type EndedPeriod, type NewPeriod, StatementPeriodRepository } from './statement-period.repository';
import { rollOver } from './statement-period';

/** Ledgers that are rolled over in one transaction. It bounds how many accounts are locked at a time. */
const BATCH_SIZE = 500;

/**
 * Closes statement periods that have ended, in the time zone of their supplier, and opens the next ones. Idempotent,
 * safe to run in several workers at once, and able to catch up after an outage of months.
 */
@Injectable()
export class RollOverStatementPeriods {
  constructor(
    private readonly database: Database,
    private readonly periods: StatementPeriodRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @returns the number of closed periods */
  async run(): Promise<number> {
    const now = this.clock.now();
    const days = (await this.periods.timeZones()).map(({ supplierId, timeZone }) => ({
      supplierId,
      today: dayIn(timeZone, now),
    }));
    let closed = 0;
    for (;;) {
      const count = await this.database.transaction(async (executor) => {
        const ended = await this.periods.lockEnded(executor, days, BATCH_SIZE);
        const following = ended.flatMap(buildFollowingPeriods);
        if (ended.length > 0) await this.periods.replace(executor, ended, following);
        closed += ended.length + following.filter(({ closingBalance }) => closingBalance !== null).length;
        return ended.length;
      });
      if (count === 0) return closed;
    }
  }
}

/** The periods after `ended`: closed ones that have been missed, without entries, and the open one. */
function buildFollowingPeriods(ended: EndedPeriod): NewPeriod[] {
  const { closed, open } = rollOver(ended, ended.cycle, ended.today);
  const { accountId, ledgerPosition, balance } = ended;
  return [...closed.slice(1), open].map(({ start, end }, index, all) => ({
    accountId,
    ledgerPosition,
    position: ended.position + 1 + index,
    startDate: start,
    endDate: end,
    closingBalance: index < all.length - 1 ? balance : null,
  }));
}
