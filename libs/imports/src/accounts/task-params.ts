import { readMoment } from '@portage/account-schema/service';
import { type FieldError, parseUtcDatetime } from '@portage/platform';
import { parseScheduleWindow } from '../processes/schedule-window';

/** Maximum number of days until a schedule window ends, and its default length (contract, "Schedule an account"). */
const MAX_SCHEDULE_WINDOW_DAYS = 4;

/** The members of `task_params`. */
export const TASK_PARAMS: readonly string[] = ['is_dry_run', 'schedule_window_start', 'schedule_window_end'];

/**
 * The names of parameters that decide whether and when an import takes effect. A request that has one in a place where
 * it has no effect is refused: a rehearsal would be a real import otherwise. No field of an account has such a name.
 */
export const IMPORT_PARAMETERS: readonly string[] = [...TASK_PARAMS, 'dry_run', 'task_params'];

/** Which parameters a request sets. A process that is still PENDING keeps the others. */
export interface GivenParams {
  isDryRun: boolean;
  /** True if the start or the end was sent, also as null. */
  window: boolean;
}

/** Returns the parameters that a request sets. */
export function givenParams(taskParams: Record<string, unknown>): GivenParams {
  return {
    isDryRun: taskParams['is_dry_run'] !== undefined && taskParams['is_dry_run'] !== null,
    window:
      taskParams['schedule_window_start'] !== undefined || taskParams['schedule_window_end'] !== undefined,
  };
}

/** Parses the schedule window of a request; see `parseScheduleWindow`. Dates are days in `timeZone`. */
export function parseWindow(taskParams: Record<string, unknown>, now: Date, timeZone: string) {
  return parseScheduleWindow(taskParams, now, MAX_SCHEDULE_WINDOW_DAYS, (value) =>
    parseUtcDatetime(readMoment(value, timeZone)),
  );
}

/** Parses `is_dry_run`, false by default; undefined if it is not valid. */
export function parseDryRun(taskParams: Record<string, unknown>): boolean | undefined {
  const isDryRun = taskParams['is_dry_run'] ?? false;
  return typeof isDryRun === 'boolean' ? isDryRun : undefined;
}

/**
 * Finds everything in `task_params` that scheduling would refuse, for the validate endpoint (contract,
 * "Validate an account").
 *
 * @param taskParams undefined if they are not an object
 */
export function findTaskParamsErrors(
  taskParams: Record<string, unknown> | undefined,
  now: Date,
  timeZone: string,
): FieldError[] {
  if (!taskParams) return [{ attr: 'task_params', code: 'invalid', detail: 'Enter a JSON object.' }];
  const errors: FieldError[] = [];
  if (parseDryRun(taskParams) === undefined)
    errors.push({ attr: 'task_params.is_dry_run', code: 'invalid', detail: 'Enter true or false.' });
  const window = parseWindow(taskParams, now, timeZone);
  if ('code' in window) {
    const { field, code, detail } = window;
    errors.push({
      attr: `task_params.${field}`,
      code: code === 'import_process_failed_validation' ? 'invalid' : code,
      detail,
    });
  }
  return errors;
}
