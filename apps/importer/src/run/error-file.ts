import { stringify, type Stringifier } from 'csv-stringify';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type ApiError } from '../api/api-error';
import { UsageError } from '../usage-error';

/**
 * Where an account fell out: `refused` when it was handed over, `errored` after it was accepted, `unreachable`
 * when no answer came, `unfinished` when it was accepted and the waiting ended before its process did. A request
 * after the import is `refused`, or `failed` when it got no answer or none but 500.
 */
export type Stage = 'refused' | 'errored' | 'unreachable' | 'unfinished' | 'failed';

export interface Failed {
  line: number;
  /** The endpoint of a request after the import; without one it is an account. */
  request?: string;
  externalAccountNumber: string;
}

/** The list of accounts and requests that need someone's attention. */
export interface ErrorList {
  add(failed: Failed, stage: Stage, error: ApiError): void;
  close(): Promise<void>;
}

/** For runs without --errors. */
export const noErrorFile: ErrorList = { add: () => undefined, close: () => Promise.resolve() };

const COLUMNS = ['line', 'request', 'external_account_number', 'stage', 'code', 'attr', 'detail'];

/**
 * The list as CSV, one row an error. Its cells repeat what stands in customers' data, and it will be opened in
 * a spreadsheet: `escape_formulas` keeps a cell that starts with = + - @ from being run as a formula.
 */
export class ErrorFile implements ErrorList {
  private constructor(
    private readonly rows: Stringifier,
    private readonly written: Promise<void>,
  ) {
    // A full disk is reported by close(); until then it must not count as an unhandled rejection.
    written.catch(() => undefined);
  }

  /** Replaces what an earlier run left under this name. @throws UsageError when the file cannot be written */
  static async create(path: string): Promise<ErrorFile> {
    const file = await open(path, 'w').catch((error: unknown) => {
      throw new UsageError(`The error list cannot be written to ${path}: ${(error as Error).message}`);
    });
    const rows = stringify({ header: true, columns: COLUMNS, escape_formulas: true });
    return new ErrorFile(rows, pipeline(rows, createWriteStream(path, { fd: file })));
  }

  add(
    { line, request = 'account', externalAccountNumber }: Failed,
    stage: Stage,
    { code, attr, detail }: ApiError,
  ): void {
    this.rows.write([String(line), request, externalAccountNumber, stage, code, attr, detail]);
  }

  async close(): Promise<void> {
    this.rows.end();
    await this.written;
  }
}
