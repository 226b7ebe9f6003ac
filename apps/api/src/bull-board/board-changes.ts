import type { AuditAction } from '@portage/platform';
import type { FastifyRequest } from 'fastify';

/** Path of Bull Board. */
export const BOARD_PATH = '/queues';

/** A change that an operator makes in Bull Board, as the audit records it. */
export interface BoardChange {
  action: AuditAction;
  /** The queue; undefined for all queues. */
  queue: string | undefined;
  details: Record<string, unknown>;
}

const QUEUE = '/api/queues/:queueName';
const JOB = `${QUEUE}/:jobId`;

/**
 * The changes that Bull Board allows, by the route of the library. All others are refused, also those of later versions.
 * Jobs are derived from stored rows: one that is added or changed by hand could name any row, and one that is
 * removed comes back with the next sweep or loses its result.
 */
const ALLOWED: ReadonlyMap<string, AuditAction> = new Map([
  ['PUT /api/queues/pause', 'queue.pause'],
  ['PUT /api/queues/resume', 'queue.resume'],
  [`PUT ${QUEUE}/pause`, 'queue.pause'],
  [`PUT ${QUEUE}/resume`, 'queue.resume'],
  [`PUT ${QUEUE}/retry/:queueStatus`, 'queue.retry'],
  [`PUT ${QUEUE}/promote`, 'queue.promote'],
  [`PUT ${QUEUE}/concurrency`, 'queue.concurrency'],
  [`PUT ${QUEUE}/rate-limit`, 'queue.rate-limit'],
  [`PUT ${QUEUE}/rate-limit/release`, 'queue.release-rate-limit'],
  [`PUT ${QUEUE}/job-schedulers/:schedulerId/run`, 'queue.run-schedule'],
  [`PUT ${JOB}/retry`, 'job.retry'],
  [`PUT ${JOB}/promote`, 'job.promote'],
  [`PATCH ${JOB}/delay`, 'job.delay'],
  [`PATCH ${JOB}/priority`, 'job.priority'],
]);

/**
 * Icons (Lucide) of the buttons and menu items of refused changes: clean and empty, obliterate, duplicate, update data,
 * remove children. The library has no option to leave them out. `plus` is "add job" in menus.
 */
const HIDDEN_ICONS = ['trash-2', 'ban', 'files', 'pencil', 'list-x'];

/** Hides the buttons and menu items of refused changes. */
export const HIDING_STYLE = `<style>:is(button,[role="menuitem"]):has(${HIDDEN_ICONS.map((icon) => `svg.lucide-${icon}`).join(',')}),[role="menuitem"]:has(svg.lucide-plus){display:none!important}</style>`;

/** The change that a request to the board makes; undefined if the board does not allow it. */
export function boardChangeOf(
  request: Pick<FastifyRequest, 'method' | 'params' | 'body'> & {
    routeOptions: { url?: string | undefined };
  },
): BoardChange | undefined {
  const route = request.routeOptions.url?.slice(BOARD_PATH.length);
  const action = ALLOWED.get(`${request.method} ${route ?? ''}`);
  const { queueName, jobId, queueStatus, schedulerId } = request.params as Record<string, string | undefined>;
  // The work of completed jobs is done.
  if (!action || queueStatus === 'completed') return undefined;
  const named = { job_id: jobId, status: queueStatus, schedule: schedulerId };
  return {
    action,
    queue: queueName,
    details: {
      ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)),
      ...numbersIn(request.body),
    },
  };
}

/** The numbers of a body: a concurrency, a rate limit, a delay or a priority. Null removes a limit. */
function numbersIn(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(
    Object.entries(body)
      .filter(([, value]) => value === null || typeof value === 'number')
      .slice(0, 5),
  );
}
