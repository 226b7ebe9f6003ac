import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@portage/client';
import { importBook, type ImportOutcome } from '../src/import-book';
import type { ImportOptions } from '../src/options';
import { StopRequest } from '../src/run/stop-request';
import {
  FakeService,
  type ReceivedRequest,
  type Reply,
  tokenReply,
} from '../../../packages/client/test/fake-service';

/** A line of a book. */
export const accountLine = (number: string, more: object = {}): string =>
  JSON.stringify({ import_supplier: 'DEMO', external_account_number: number, ...more });

/** The account number in a request. */
export const numberIn = ({ body }: ReceivedRequest): string =>
  (JSON.parse(body) as { external_account_number: string }).external_account_number;

/** The reply to a status request about an account that was imported. */
export const PROCESSED = { status: 200, body: { status: 'PROCESSED', latest_error: null } };

/** A folder, and runs of the tool against a service that the test defines. */
export class ImportRun {
  readonly notes: string[] = [];
  service!: FakeService;

  private constructor(readonly folder: string) {}

  /** @param answer replies to all requests except those for tokens; accounts are valid if it is undefined */
  static async start(answer: (request: ReceivedRequest) => Reply | undefined): Promise<ImportRun> {
    const run = new ImportRun(await mkdtemp(join(tmpdir(), 'import-run-')));
    run.service = await FakeService.start((request) =>
      request.path.endsWith('/v1/graphql/')
        ? tokenReply('token')
        : (answer(request) ?? (request.method === 'GET' ? PROCESSED : { status: 201 })),
    );
    return run;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  async write(name: string, content: string | Buffer): Promise<string> {
    await writeFile(this.path(name), content);
    return this.path(name);
  }

  /** The text of a file; empty if there is none. */
  async read(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8').catch(() => '');
  }

  /** The text of the error list without quotation marks. */
  async readErrors(): Promise<string> {
    return (await this.read('errors.csv')).replaceAll('"', '');
  }

  async readBytes(name: string): Promise<Buffer> {
    return readFile(this.path(name));
  }

  /** The account numbers of accounts that were checked, in order of arrival. */
  get checked(): string[] {
    return this.service.requestsTo('POST', '/v2/data-import/accounts/validate/').map(numberIn);
  }

  async import(
    options: Partial<ImportOptions>,
    {
      standardInput,
      stop = new StopRequest(() => undefined),
    }: {
      standardInput?: NodeJS.ReadableStream;
      stop?: StopRequest;
    } = {},
  ): Promise<ImportOutcome> {
    try {
      return await importBook(
        {
          file: undefined,
          afterImport: undefined,
          baseUrl: this.service.url,
          apiKey: 'key',
          reference: undefined,
          expected: undefined,
          concurrency: 4,
          errors: this.path('errors.csv'),
          report: undefined,
          rejected: this.path('rejected.ndjson'),
          rejectedAfterImport: undefined,
          checkpoint: undefined,
          // Submissions need a real service (test/e2e/tenants/import-book.e2e-spec.ts).
          validateOnly: options.file !== undefined,
          rejectUnknown: false,
          lastWins: false,
          wait: true,
          stallMs: 30_000,
          waitMs: 5000,
          retryMs: 5000,
          timeoutMs: 1000,
          ...options,
        },
        {
          stop,
          progress: {
            show: () => undefined,
            note: (line) => this.notes.push(line),
            end: () => undefined,
          },
          progressEveryMs: 1000,
          clock: systemClock,
          random: () => 0.001,
          standardInput,
        },
      );
    } finally {
      stop.removeListeners();
    }
  }

  async end(): Promise<void> {
    await this.service.stop();
    await rm(this.folder, { recursive: true });
  }
}
