import type { PortageClient } from './portage-client';

/** Uploads a book of these lines as a submission that is received completely, and returns its id. */
export async function sendBook(
  portage: PortageClient,
  lines: readonly object[],
  {
    reference,
    expected,
    taskParams,
    mode,
    isComplete = true,
  }: { reference: string; expected?: object; taskParams?: object; mode?: string; isComplete?: boolean },
): Promise<string> {
  const id = await portage.openSubmission(reference, { expected, mode, task_params: taskParams });
  await portage.upload(id, lines);
  if (isComplete) await portage.completeSubmission(id);
  return id;
}
