import { OpenSubmission, ReceiveAccounts, type UploadBody, type UploadResult } from '@portage/submissions';
import type { TestApplication } from './test-application';

type Test = Pick<TestApplication, 'app' | 'caller'>;

let references = 0;

/** Opens a submission of LEGACY, with a reference of its own unless one is given. @returns its id */
export async function openSubmission({ app, caller }: Test, more: object = {}): Promise<string> {
  const request = { import_supplier: 'LEGACY', reference: `R-${(references += 1)}`, ...more };
  return (await app.get(OpenSubmission).open(caller, request)).submission.id;
}

/** The body of an upload with these lines, which arrives in chunks of `size` bytes. Objects are lines of JSON. */
export function bodyOf(lines: readonly (object | string)[], size = 10_000): UploadBody {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
  let at = 0;
  const read = async () => {
    const chunk = bytes.subarray(at, (at += size));
    return Promise.resolve(chunk.length > 0 ? chunk : undefined);
  };
  return { read, throwIfEnded: () => undefined };
}

/** Uploads accounts to a submission. */
export async function uploadAccounts(
  { app, caller }: Test,
  id: string,
  ...body: Parameters<typeof bodyOf>
): Promise<UploadResult> {
  return app.get(ReceiveAccounts).receive(caller, id, bodyOf(...body));
}
