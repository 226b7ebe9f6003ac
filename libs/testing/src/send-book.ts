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
  const path = '/v2/data-import/submissions/';
  const opened = await portage.post(path, {
    import_supplier: portage.supplier,
    reference,
    ...(expected ? { expected } : {}),
    ...(mode ? { mode } : {}),
    ...(taskParams ? { task_params: taskParams } : {}),
  });
  const id = opened.body.id as string;
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await portage.post(`${path}${id}/accounts/`, text, { 'content-type': 'application/x-ndjson' });
  if (isComplete) await portage.send('POST', `${path}${id}/complete/`);
  return id;
}
