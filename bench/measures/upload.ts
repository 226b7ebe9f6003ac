import { constants, gzipSync } from 'node:zlib';
import type { Book } from '../book';
import type { RunningProgram } from '../environment/running-program';
import { SUPPLIER } from '../environment/servers';

const SUBMISSIONS = '/v2/data-import/submissions/';
const NEWLINE = Buffer.from('\n');

/** A book as the body of an upload: one account a line, with gzip. */
export interface PackedBook {
  readonly accounts: number;
  readonly body: Buffer;
}

/** Packs a book. Takes a while, so that it is done before the time is taken. */
export function packBook({ payloads }: Book): PackedBook {
  const lines = Buffer.concat(payloads.flatMap((payload) => [payload, NEWLINE]));
  return { accounts: payloads.length, body: gzipSync(lines, { level: constants.Z_BEST_SPEED }) };
}

/**
 * Sends a book as a submission: one upload with gzip, which is completed when it has been answered.
 *
 * @param reference the supplier's own name of the submission
 * @throws Error unless every account is accepted
 */
export async function uploadBook(
  running: RunningProgram,
  { accounts, body }: PackedBook,
  reference: string,
): Promise<void> {
  const call = async (path: string, content: string | Buffer, headers: Record<string, string> = {}) => {
    const response = await fetch(`${running.baseUrl}${SUBMISSIONS}${path}`, {
      method: 'POST',
      headers: { ...running.authorization, 'content-type': 'application/json', ...headers },
      body: content,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}: ${text}`);
    return JSON.parse(text) as { id?: string; accepted?: number };
  };
  const opened = await call('', JSON.stringify({ import_supplier: SUPPLIER, reference }));
  const { accepted } = await call(`${opened.id}/accounts/`, body, {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
  });
  if (accepted !== accounts)
    throw new Error(`Only ${accepted} of ${accounts} accounts of ${reference} were accepted.`);
  await call(`${opened.id}/complete/`, '{}');
}
