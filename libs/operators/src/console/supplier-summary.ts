import { byColumn } from '@portage/platform';
import { IMPORT_PROCESS_STATUSES, type ImportProcessStatus, type Throughput } from '@portage/imports';
import type { SupplierOverview, SupplierWithOrganisation } from './supplier-overview.repository';
import { toMoment, toMomentOrNull } from './moments';
import type { StateCountsView, SupplierSettingsView, SupplierSummaryView } from './suppliers.dto';

const MINUTE_MS = 60_000;
const SPARKLINE_MINUTES = 60;

/** The counts by state, with 0 for states without a process. STAGED processes are PENDING as well. */
export function statesOf({ counts }: Pick<SupplierOverview, 'counts'>): StateCountsView {
  const { STAGED = 0, PENDING = 0 } = counts;
  const states = Object.fromEntries(IMPORT_PROCESS_STATUSES.map((status) => [status, counts[status] ?? 0]));
  return { ...(states as Record<ImportProcessStatus, number>), PENDING: PENDING + STAGED, STAGED };
}

/** A value for each of the last 60 full minutes, the oldest first. */
export function lastHour(
  minutes: readonly Throughput[],
  now: Date,
  value: (minute: Throughput) => number,
): number[] {
  const begin = Math.floor(now.getTime() / MINUTE_MS) - SPARKLINE_MINUTES;
  const values = Array<number>(SPARKLINE_MINUTES).fill(0);
  for (const minute of minutes) {
    const index = minute.at / 60 - begin;
    if (index >= 0 && index < SPARKLINE_MINUTES) values[index] = value(minute);
  }
  return values;
}

/**
 * Builds the summary. The end is estimated while accounts come to their end, of any kind, by the last minute. It is not before
 * the last window opens for which an account waits.
 */
export function buildSummary(supplier: SupplierOverview, now: Date): SupplierSummaryView {
  const { code, organisation, status, minutes, endedPerSecond, endedPerSecondOfMinute } = supplier;
  const states = statesOf(supplier);
  const remaining = states.PENDING + states.IN_PROGRESS - states.STAGED;
  const secondsLeft = Math.min(remaining / endedPerSecondOfMinute, MAX_SECONDS);
  const windowAt = supplier.lastWindowAt === null ? 0 : Date.parse(supplier.lastWindowAt);
  return {
    code,
    organisation,
    status,
    states,
    processed_per_second: round(supplier.processedPerSecond),
    processed_per_second_of_minute: round(supplier.processedPerSecondOfMinute),
    sparkline: lastHour(minutes, now, (minute) => minute.processed),
    oldest_waiting_at: toMomentOrNull(supplier.oldestWaitingAt),
    errored: states.ERRORED + states.DRY_RUN_ERRORED,
    estimated_end_at:
      remaining > 0 && endedPerSecond > 0
        ? new Date(Math.max(now.getTime() + secondsLeft * 1_000, windowAt)).toISOString()
        : null,
    counted_at: toMoment(supplier.countedAt),
  };
}

const round = (rate: number) => Math.round(rate * 100) / 100;

/** Ten years: a later estimate says nothing more. */
const MAX_SECONDS = 315_360_000;

/** Builds the view of the settings. */
export function buildSettings({ organisation, ...supplier }: SupplierWithOrganisation): SupplierSettingsView {
  return {
    ...byColumn(supplier, 'id', 'organisationId'),
    organisation: organisation.name,
    created_at: toMoment(supplier.createdAt),
    modified_at: toMoment(supplier.modifiedAt),
  };
}
