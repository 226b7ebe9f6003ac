import {
  IMPORT_PROCESS_STATUSES,
  type ImportProcessStatus,
  paceOf,
  type StoredMinute,
} from '@portage/imports';
import { byColumn } from '@portage/platform';
import type { SupplierOverview, SupplierWithOrganisation } from './supplier-overview.repository';
import { toMoment, toMomentOrNull } from './moments';
import type { StateCountsView, SupplierSettingsView, SupplierSummaryView } from './suppliers.dto';

const MINUTE_MS = 60_000;
const SPARKLINE_MINUTES = 60;

/** The counts by state, with 0 for states without a process. */
export function statesOf({ counts, staged }: Pick<SupplierOverview, 'counts' | 'staged'>): StateCountsView {
  const states = Object.fromEntries(IMPORT_PROCESS_STATUSES.map((status) => [status, counts[status] ?? 0]));
  return {
    ...(states as Record<ImportProcessStatus, number>),
    STAGED: Math.min(staged, states['PENDING'] as number),
  };
}

/** A value for each of the last 60 full minutes, the oldest first. */
export function lastHour(
  minutes: readonly StoredMinute[],
  now: Date,
  value: (minute: StoredMinute) => number,
): number[] {
  const begin = Math.floor(now.getTime() / MINUTE_MS) - SPARKLINE_MINUTES;
  const values = Array<number>(SPARKLINE_MINUTES).fill(0);
  for (const minute of minutes) {
    const index = minute.at / 60 - begin;
    if (index >= 0 && index < SPARKLINE_MINUTES) values[index] = value(minute);
  }
  return values;
}

/** Builds the summary. The pace is that of accounts that have come to an end, of any kind. */
export function buildSummary(supplier: SupplierOverview, now: Date): SupplierSummaryView {
  const { code, organisation, status, minutes } = supplier;
  const states = statesOf(supplier);
  const remaining = states.PENDING + states.IN_PROGRESS - states.STAGED;
  const ended = paceOf(
    lastHour(minutes, now, (minute) => minute.processed + minute.errored),
    60,
    remaining,
  );
  const processed = paceOf(
    lastHour(minutes, now, (minute) => minute.processed),
    60,
    remaining,
  );
  return {
    code,
    organisation,
    status,
    states,
    processed_per_second: Math.round(processed.perSecond * 100) / 100,
    sparkline: lastHour(minutes, now, (minute) => minute.processed),
    oldest_waiting_at: toMomentOrNull(supplier.oldestWaitingAt),
    errored: states.ERRORED + states.DRY_RUN_ERRORED,
    estimated_end_at:
      remaining > 0 && ended.secondsLeft !== undefined
        ? new Date(now.getTime() + Math.min(ended.secondsLeft, MAX_SECONDS) * 1_000).toISOString()
        : null,
    counted_at: supplier.countedAt === null ? null : new Date(supplier.countedAt).toISOString(),
  };
}

/** Ten years: a later estimate says nothing more. */
const MAX_SECONDS = 315_360_000;

/** Builds the view of the settings. */
export function buildSettings(supplier: SupplierWithOrganisation): SupplierSettingsView {
  return {
    ...byColumn(supplier, 'id', 'organisationId'),
    created_at: toMoment(supplier.createdAt),
    modified_at: toMoment(supplier.modifiedAt),
  };
}
