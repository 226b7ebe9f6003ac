import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportOutcome } from '../src/import-book';
import type { ImportOptions } from '../src/options';
import type { RunContext } from '../src/run/run-context';
import {
  FakeService,
  type ReceivedRequest,
  type Reply,
  tokenReply,
} from '../../../packages/client/test/fake-service';
import { readRows } from './error-rows';
import { runImport } from './run-import';

/** A line of a book. */
export const accountLine = (number: string, more: object = {}): string =>
  JSON.stringify({ import_supplier: 'DEMO', external_account_number: number, ...more });

/** The account number in a request. */
export const numberIn = ({ body }: ReceivedRequest): string =>
  (JSON.parse(body) as { external_account_number: string }).external_account_number;

/** The reply to a status request about an account that was imported. */
export const PROCESSED = { status: 200, body: { status: 'PROCESSED', latest_error: null } };

type Answering = (request: ReceivedRequest) => Reply | undefined | Promise<Reply | undefined>;

/** A folder, and runs of the tool against a service that the test defines. */
export class ImportRun {
  readonly notes: string[] = [];
  service!: FakeService;

  private constructor(readonly folder: string) {}

  /** @param answer replies to all requests except those for tokens; accounts are valid if it is undefined */
  static async start(answer: Answering, token = tokenReply('token')): Promise<ImportRun> {
    const run = new ImportRun(await mkdtemp(join(tmpdir(), 'import-run-')));
    run.service = await FakeService.start(async (request) =>
      request.path.endsWith('/v1/graphql/')
        ? token
        : ((await answer(request)) ?? (request.method === 'GET' ? PROCESSED : { status: 201 })),
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

  /** The sorted rows of the error list. */
  async readRows(): Promise<string[]> {
    return (await readRows(this.path('errors.csv'))).sort();
  }

  async readBytes(name: string): Promise<Buffer> {
    return readFile(this.path(name));
  }

  /** The account numbers of accounts that were checked, in order of arrival. */
  get checked(): string[] {
    return this.service.requestsTo('POST', '/v2/data-import/accounts/validate/').map(numberIn);
  }

  async import(options: Partial<ImportOptions>, context: Partial<RunContext> = {}): Promise<ImportOutcome> {
    return runImport(
      {
        baseUrl: this.service.url,
        errors: this.path('errors.csv'),
        rejected: this.path('rejected.ndjson'),
        // Submissions need a real service (test/e2e/tenants/import-book.e2e-spec.ts).
        validateOnly: true,
        ...options,
      },
      {
        ...context,
        progress: { show: () => undefined, note: (line) => this.notes.push(line), end: () => undefined },
      },
    );
  }

  async end(): Promise<void> {
    await this.service.stop();
    await rm(this.folder, { recursive: true });
  }
}
