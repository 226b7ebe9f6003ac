import { createHash } from 'node:crypto';

/** A body as endpoints 5 and 6 of the contract accept it, taken apart (DESIGN 1, account body). */
export interface AccountRequest {
  /** The account as it was sent. */
  payload: Record<string, unknown>;
  taskParams: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes the bare account, or `{ payload, task_params }`: no field of an account is called `payload`. */
export function accountRequest(body: Record<string, unknown>): AccountRequest {
  if (!isObject(body['payload'])) return { payload: body, taskParams: {} };
  return { payload: body['payload'], taskParams: isObject(body['task_params']) ? body['task_params'] : {} };
}

/** The import supplier code of a payload, read as text is read: a number counts as its decimal text. */
export function supplierCodeOf(payload: Record<string, unknown>): string | undefined {
  const code = payload['import_supplier'];
  if (typeof code === 'number') return String(code);
  return typeof code === 'string' && code !== '' ? code : undefined;
}

/** Tells a repeated request from a changed one. */
export function hashOfRequest(payloadText: string, taskParams: Record<string, unknown>): Buffer {
  return createHash('sha256')
    .update(payloadText)
    .update('\0')
    .update(JSON.stringify([taskParams['is_dry_run'] ?? false, taskParams['schedule_window_start'] ?? null]))
    .update(JSON.stringify(taskParams['schedule_window_end'] ?? null))
    .digest();
}
