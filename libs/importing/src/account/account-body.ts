import { createHash } from 'node:crypto';

/** A body as endpoints 5 and 6 of the contract accept it, taken apart (DESIGN 1, account body). */
export interface AccountBody {
  /** The account as it was sent. */
  payload: Record<string, unknown>;
  /** What to do with it; undefined where something was sent that is no object. */
  taskParams: Record<string, unknown> | undefined;
  /** Paths beside the account that mean nothing. */
  undocumented: string[];
}

const TASK_PARAMS = ['is_dry_run', 'schedule_window_start', 'schedule_window_end'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes the bare account, or `{ payload, task_params }`: no field of an account is called `payload`. */
export function parseAccountBody(body: Record<string, unknown>): AccountBody {
  if (!isObject(body['payload'])) return { payload: body, taskParams: {}, undocumented: [] };
  const {
    payload,
    task_params: given,
    ...others
  } = body as typeof body & { payload: AccountBody['payload'] };
  const taskParams = given ?? {};
  const undocumented = Object.keys(others);
  if (!isObject(taskParams)) return { payload, taskParams: undefined, undocumented };
  for (const name of Object.keys(taskParams))
    if (!TASK_PARAMS.includes(name)) undocumented.push(`task_params.${name}`);
  return { payload, taskParams, undocumented };
}

/** Tells a repeated request from a changed one. What is the same as leaving it out makes no difference. */
export function payloadHash(payloadText: string, taskParams: Record<string, unknown>): Buffer {
  const [isDryRun, start, end] = TASK_PARAMS.map((name) => taskParams[name]);
  const windowEdge = (given: unknown) => (given === '' ? null : (given ?? null));
  return createHash('sha256')
    .update(payloadText)
    .update('\0')
    .update(JSON.stringify([isDryRun ?? false, windowEdge(start), windowEdge(end)]))
    .digest();
}
