import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { operations, SubmissionResult } from './generated/api';
import { isJsonObject, parseJson } from './json';
import type { Options } from './operations';
import { Unreachable } from './retry/retrier';
import type { ByteStream } from './transport/transport';

/** Which results to read. */
export interface ResultsOptions {
  /** Only lines with these outcomes; by default all. */
  outcome?: NonNullable<operations['listSubmissionResults']['parameters']['query']>['outcome'];
  /** Ends the iteration when aborted. */
  signal?: AbortSignal;
}

/** The operation that lists results; the client has it. */
type ListResults = (options: Options<'listSubmissionResults'>) => Promise<unknown>;

/** Results that are read ahead. */
const MAX_READ_AHEAD = 64;

/**
 * Reads the results of a submission row by row, in the order of arrival and in constant memory, as fast as they are
 * taken. An answer that breaks is read again, without the rows that were delivered.
 *
 * @throws what the operation throws; Unreachable only if it has delivered nothing since the last break
 */
export async function* readResults(
  list: ListResults,
  id: string,
  { outcome, signal }: ResultsOptions,
): AsyncGenerator<SubmissionResult, void> {
  let last = { upload: 0, line: 0 };
  for (;;) {
    let hasMoved = false;
    try {
      for await (const row of streamRows(list, id, outcome, signal)) {
        const isDelivered = row.upload < last.upload || (row.upload === last.upload && row.line <= last.line);
        if (isDelivered) continue;
        last = row;
        hasMoved = true;
        yield row;
      }
      return;
    } catch (error) {
      if (signal?.aborted === true) return;
      if (!(error instanceof Unreachable) || !hasMoved) throw error;
    }
  }
}

/** The rows of one request. Its attempts after the first begin with the first row again. */
async function* streamRows(
  list: ListResults,
  id: string,
  outcome: ResultsOptions['outcome'],
  signal: AbortSignal | undefined,
): AsyncGenerator<SubmissionResult, void> {
  const ended = new AbortController();
  const stop = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
  const rows = new PassThrough({ objectMode: true, highWaterMark: MAX_READ_AHEAD });
  const receive = async (bytes: ByteStream) => {
    for await (const line of linesOf(bytes))
      if (!rows.write(toRow(line))) await once(rows, 'drain', { signal: stop });
  };
  const query = outcome === undefined ? {} : { outcome };
  const headers = { accept: 'application/x-ndjson' };
  const request = list({ path: { id }, query, headers, receive, signal: stop }).then(
    () => rows.end(),
    (error: unknown) => rows.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    yield* rows as AsyncIterable<SubmissionResult>;
  } finally {
    ended.abort();
    await request;
  }
}

function toRow(line: string): SubmissionResult {
  const row = parseJson(line);
  if (!isJsonObject(row)) throw new Error('a result is not JSON');
  return row as unknown as SubmissionResult;
}

async function* linesOf(bytes: ByteStream): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}
