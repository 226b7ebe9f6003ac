import type { FieldError } from '@portage/client';
import { stringify, type Stringifier } from 'csv-stringify';
import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { escapeForTerminal } from '@portage/text';
import { UsageError } from '../usage-error';

/**
 * The stage at which an account failed: `refused` by the service when it was sent, `errored` after it was accepted,
 * `unfinished` if its process had not ended when the tool stopped waiting. `conflicting` lines are not sent. `differing`
 * additions exist with other content, which is unchanged.
 */
export type Stage = 'refused' | 'errored' | 'unfinished' | 'conflicting' | 'differing';

/** The account or addition that an error is about. */
export interface FailedItem {
  line: number;
  /** The kind of an addition, empty if it is not known; undefined for an account. */
  request?: string;
  externalAccountNumber: string;
}

/** The list of failed accounts and additions. */
export interface ErrorList {
  add(failed: FailedItem, stage: Stage, error: FieldError): void;
  close(): Promise<void>;
}

/** Discards errors, for runs without --errors. */
export const noErrorFile: ErrorList = { add: () => undefined, close: () => Promise.resolve() };

const COLUMNS = ['line', 'request', 'external_account_number', 'stage', 'code', 'attr', 'detail'];

/**
 * The list as CSV, one row per error. Cells quote customer data, and the file is opened in spreadsheets and shown on
 * terminals: `escape_formulas` stops cells that start with = + - @, a tab or a carriage return from being executed as
 * formulas, and control, bidirectional and zero-width characters are escaped.
 */
export class ErrorFile implements ErrorList {
  private constructor(
    private readonly rows: Stringifier,
    private readonly written: Promise<void>,
  ) {
    // close() reports write errors, such as a full disk. Until then they must not be unhandled rejections.
    written.catch(() => undefined);
  }

  /** Creates the file or overwrites an existing one. @throws UsageError if the file cannot be written */
  static async create(path: string): Promise<ErrorFile> {
    const file = await open(path, 'w', 0o600).catch((error: unknown) => {
      throw new UsageError(`The error list cannot be written to ${path}: ${(error as Error).message}`);
    });
    const rows = stringify({
      header: true,
      columns: COLUMNS,
      quoted: true,
      quoted_empty: true,
      escape_formulas: true,
      cast: { string: escapeForTerminal },
    });
    return new ErrorFile(rows, pipeline(rows, createWriteStream(path, { fd: file })));
  }

  add(
    { line, request = 'account', externalAccountNumber }: FailedItem,
    stage: Stage,
    { code, attr, detail }: FieldError,
  ): void {
    this.rows.write([String(line), request, externalAccountNumber, stage, code, attr, detail]);
  }

  async close(): Promise<void> {
    this.rows.end();
    await this.written;
  }
}
