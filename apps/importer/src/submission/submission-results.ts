import {
  type FieldError,
  type PortageClient,
  parseFieldError,
  parseJson,
  isJsonObject,
  textField,
} from '@portage/client';
import { readLines } from '../book/lines';

/** What became of a line. */
export interface LineResult {
  line: number;
  externalAccountNumber: string;
  outcome: Outcome;
  errors: FieldError[];
}

/** The outcomes that the tool asks for. */
export type Outcome = 'refused' | 'errored' | 'dry_run_errored' | 'cancelled' | 'pending' | 'in_progress';

const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the results with some outcomes, in the order of arrival and in constant memory. An answer that breaks is read
 * again, and results before that are not repeated.
 */
export async function readResults(
  portage: PortageClient,
  id: string,
  outcomes: readonly Outcome[],
  onResult: (result: LineResult) => void,
): Promise<void> {
  let last = { upload: 0, line: 0 };
  await portage.listSubmissionResults({
    path: { id },
    query: { outcome: [...outcomes] },
    headers: { accept: 'application/x-ndjson' },
    receive: async (bytes) => {
      for await (const { text } of readLines(toBuffers(bytes), MAX_LINE_BYTES)) {
        const result = parseJson(text ?? '');
        if (!isJsonObject(result)) throw new Error('a result is not JSON');
        const at = { upload: Number(result['upload']), line: Number(result['line']) };
        if (at.upload < last.upload || (at.upload === last.upload && at.line <= last.line)) continue;
        last = at;
        onResult({
          line: at.line,
          externalAccountNumber: textField(result, 'external_account_number') ?? '',
          outcome: result['outcome'] as Outcome,
          errors: (result['errors'] as unknown[]).map(parseFieldError).filter((one) => one !== undefined),
        });
      }
    },
  });
}

async function* toBuffers(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
