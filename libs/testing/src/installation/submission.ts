import { setTimeout as sleep } from 'node:timers/promises';
import { isAmount, type Measure } from '../../../imports/src/submission-lines/measures';
import { until } from '../until';
import type { Book, ClientRequest, Clients, ReadableService } from './clients';
import { SubmissionWatch } from './submission-watch';

const SUBMISSIONS = '/v2/data-import/submissions/';
/** Lines that are sent without a pause, and the pause. They let a fault strike while the upload is running. */
const PACED_LINES = 8;
const PACE_MS = 10;
/** An upload that failed after fewer lines had not begun: the service was still down. One batch has as many. */
const FIRST_LINES = 64;
const FINISH_TIMEOUT_MS = 30_000;

/** What one account counts in a reconciliation, by measure. */
export type Measures = Readonly<Partial<Record<Measure, number>>>;

/**
 * A submission with its control totals. Its file is sent again as a whole after each upload that broke off or was answered
 * with 429 or 5xx, until one is answered with 200; then the submission is completed.
 */
export class Submission {
  /** Uploads that had begun, and then broke off or were answered with 5xx. */
  cutUploads = 0;
  private watch: SubmissionWatch | undefined;
  /** Lines of the current upload. */
  private sentLines = 0;

  private constructor(
    private readonly service: ReadableService,
    private readonly clients: Clients,
    readonly id: string,
    private readonly book: ReadonlyMap<string, object>,
    private readonly measures: Measures,
  ) {}

  /** Opens a submission for a book, of whose accounts each counts `measures`. */
  static async open(
    service: ReadableService,
    clients: Clients,
    { reference, book, measures }: { reference: string; book: Book; measures: Measures },
  ): Promise<Submission> {
    const accounts = new Map(book);
    const totals = Object.entries(measures).map(([measure, value]) => {
      const total = value * accounts.size;
      return [measure, isAmount(measure as Measure) ? total.toFixed(2) : total] as const;
    });
    const expected = Object.fromEntries(totals);
    const body = { import_supplier: service.supplier, reference, expected };
    const request: ClientRequest = { operation: 'submission', method: 'POST', path: SUBMISSIONS, body };
    const { status, text, opened } = await clients.open(request);
    if (status !== 201) throw new Error(`${status} ${text}`);
    return new Submission(service, clients, opened.id, accounts, measures);
  }

  /** Reads the counts from now on, all the time, until {@link findDifferences}. */
  watchCounts(): void {
    this.watch = new SubmissionWatch(this.service, this.clients, this.id, this.book.size);
  }

  /** The lines that are stored. Requires {@link watchCounts}. */
  get received(): number {
    return this.watch?.received ?? 0;
  }

  /** Uploads the book and completes the submission. Each line is accepted then. */
  async send(): Promise<void> {
    const { clients, book } = this;
    const path = `${SUBMISSIONS}${this.id}/`;
    const upload: ClientRequest = {
      operation: 'upload',
      method: 'POST',
      path: `${path}accounts/`,
      body: () => this.lines(),
    };
    const answered = await clients.repeat('upload', upload, () => {
      if (this.sentLines >= FIRST_LINES) this.cutUploads += 1;
    });
    if (answered?.status !== 200) {
      if (answered) clients.reportUnexpected(`upload: ${answered.status} ${answered.text ?? ''}`);
      return;
    }
    // The upload is the confirmation of each of its lines.
    for (const account of book.keys()) {
      clients.calls.push({ ...answered, operation: 'schedule', account, status: 201 });
      clients.accepted.add(account);
    }
    const completion: ClientRequest = {
      ...upload,
      operation: 'submission',
      path: `${path}complete/`,
      body: {},
    };
    const completed = await clients.repeat('completion', completion);
    if (completed && completed.status !== 200)
      clients.reportUnexpected(`completion: ${completed.status} ${completed.text ?? ''}`);
  }

  /** Waits for the end of the submission, and compares what each API shows of it, and its uploads, with the book. */
  async findDifferences(): Promise<string[]> {
    const differences = (await this.watch?.stop()) ?? [];
    for (const api of this.service.apis) {
      const path = `${SUBMISSIONS}${this.id}/`;
      let shown: Shown = {};
      // The counts are up to a second old.
      await until(
        async () => {
          shown = (await this.clients.read(api, path)) as Shown;
          return shown.status === 'ABORTED' ? 'never' : shown.status === 'FINISHED';
        },
        () => `the submission is not FINISHED at ${api.name}: ${JSON.stringify(shown)}`,
        FINISH_TIMEOUT_MS,
      );
      const found = [
        ...this.differencesOfCounts(shown.counts ?? {}),
        ...this.differencesOfResults((await this.clients.read(api, `${path}results/`)) as Result[]),
        ...this.differencesOfReconciliation(
          (await this.clients.read(api, `${path}reconciliation/`)) as Reconciliation,
        ),
      ];
      differences.push(...found.map((text) => `${text}, at ${api.name}`));
    }
    return [...differences, ...(await this.differencesOfUploads())];
  }

  stop(): void {
    void this.watch?.stop();
  }

  private async *lines(): AsyncGenerator<string> {
    this.sentLines = 0;
    for (const body of this.book.values()) {
      await this.clients.untilAllowed(() => this.sentLines);
      if (this.clients.isOver) throw new Error('The clients were stopped.');
      yield `${JSON.stringify(body)}\n`;
      this.sentLines += 1;
      if (this.sentLines % PACED_LINES === 0) await sleep(PACE_MS);
    }
  }

  private differencesOfCounts({ received, refused, processed }: Record<string, number>): string[] {
    const { size } = this.book;
    return received === size && processed === size && refused === 0
      ? []
      : [`of ${size} lines ${received} were received, ${refused} refused and ${processed} processed`];
  }

  private differencesOfResults(results: readonly Result[]): string[] {
    const distinct = (name: string) => new Set(results.map((result) => result[name])).size;
    const unprocessed = results.filter(({ outcome }) => outcome !== 'processed');
    const strangers = results.filter(({ external_account_number: number }) => !this.book.has(number!));
    const names = ['external_account_number', 'platform_account_number'];
    return [
      ...(results.length === this.book.size ? [] : [`${results.length} results of ${this.book.size} lines`]),
      ...(unprocessed.length === 0
        ? []
        : [`${unprocessed.length} unprocessed lines, such as ${JSON.stringify(unprocessed[0])}`]),
      ...(strangers.length === 0 ? [] : [`results of accounts that were not sent`]),
      ...names
        .filter((name) => distinct(name) !== this.book.size)
        .map((name) => `${distinct(name)} different values of ${name}`),
    ];
  }

  /** A release that opens a submission knows no totals of later measures, whose differences are 0 without one. */
  private differencesOfReconciliation({ reconciled, measures }: Reconciliation): string[] {
    const different = measures.filter(
      ({ measure, expected, difference }) =>
        Number(difference) !== 0 || (expected === null && measure in this.measures),
    );
    return [
      ...(reconciled ? [] : ['the submission is not reconciled']),
      ...different.map((measure) => `reconciliation: ${JSON.stringify(measure)}`),
    ];
  }

  /** Each upload counts what it stored, so that all of them together have accepted each account once. */
  private async differencesOfUploads(): Promise<string[]> {
    const [sum] = await this.service.sql<Record<string, number>>(
      `SELECT sum(accepted)::int AS accepted, sum(refused)::int AS refused,
         sum(lines - accepted - refused - repeated)::int AS others
       FROM submission_upload WHERE submission_id = $1`,
      [this.id],
    );
    const { accepted, refused, others } = sum!;
    return accepted === this.book.size && refused === 0 && others === 0
      ? []
      : [
          `the uploads accepted ${accepted} lines of ${this.book.size}, refused ${refused}, and ${others} are not counted`,
        ];
  }
}

interface Shown {
  status?: string;
  counts?: Record<string, number>;
}
type Result = Record<string, string | undefined>;
interface Reconciliation {
  reconciled: boolean;
  measures: { measure: string; expected: unknown; difference: number | string }[];
}
