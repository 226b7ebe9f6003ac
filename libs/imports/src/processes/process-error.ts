import type { ProcessError } from '@portage/platform';

/** A member of the errors about processes. */
export const PROCESS = { domain: 'import_process' } as const;

/** The error that a process or a correction has ended with, as it is shown; null of one without an error. */
export function toProcessError(ended: {
  errorCode: string | null;
  errorDetail: string | null;
}): ProcessError | null {
  const { errorCode: code, errorDetail: detail } = ended;
  return code === null ? null : { code, detail: detail ?? '', ...PROCESS };
}
