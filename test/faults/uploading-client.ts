import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type TestPortage, until } from '@portage/testing';
import { BOOK_ACCOUNT_MEASURES } from './book-account';
import type { BookClient } from './book-client';
import { SubmissionWatch } from './submission-watch';

const SUBMISSIONS = '/v2/data-import/submissions/';
/** Lines that are sent without a pause, and the pause. They let a fault strike while the upload is running. */
const PACED_LINES = 8;
const PACE_MS = 10;
const RETRY_DELAY_MS = 100;
/** An upload that failed after fewer lines had not begun: the service was still down. One batch has as many. */
const FIRST_LINES = 64;
/** The time for which the client sends the book again. */
const TIMEOUT_MS = 180_000;

type Measures = Record<string, number | string>;

/**
 * A supplier that uploads a book to a submission. After each upload that broke off or was answered with 429 or 5xx it
 * sends the whole file again, until one upload is answered with 200. Then it completes the submission.
 */
export class UploadingClient implements BookClient {
  readonly accepted = new Set<string>();
  /** Uploads that had begun, and then broke off or were answered with 5xx. */
  cutUploads = 0;
  /** The id of the submission. */
  id = '';
  private watch: SubmissionWatch | undefined;
  private unexpectedAnswer: string | undefined;
  private isStopped = false;
  private allowed = 0;
  /** Lines of the current upload. */
  private sentLines = 0;

  constructor(
    private readonly portage: TestPortage,
    /** Bodies by external account number, in the order of the file. */
    private readonly book: ReadonlyMap<string, string>,
    private readonly reference: string,
  ) {}

  get answered(): number {
    return this.watch?.received ?? 0;
  }

  allow(count: number): void {
    this.allowed = Math.ceil(count);
  }

  async waitForAnswers(count: number): Promise<void> {
    await until(
      () => this.answered >= count || this.unexpectedAnswer !== undefined,
      TIMEOUT_MS,
      () => `${count} stored lines of ${this.allowed} allowed ones; ${this.summary()}`,
    );
    if (this.unexpectedAnswer !== undefined) throw new Error(this.unexpectedAnswer);
  }

  async send(): Promise<void> {
    await this.open();
    const isUploaded = await this.repeat('upload', async () => this.upload());
    if (!isUploaded) return;
    for (const number of this.book.keys()) this.accepted.add(number);
    await this.repeat('completion', async () =>
      this.portage.send('POST', `${SUBMISSIONS}${this.id}/complete/`),
    );
  }

  /** Compares the submission, its results, its reconciliation and the counts of its uploads with the book. */
  async findDifferences(): Promise<string[]> {
    const finished = await this.waitUntilFinished();
    const watched = await this.watch!.stop();
    return [
      ...watched,
      ...this.differencesOfCounts(finished.body.counts as Record<string, number>),
      ...(await this.differencesOfResults()),
      ...(await this.differencesOfReconciliation()),
      ...(await this.differencesOfUploads()),
    ];
  }

  stop(): void {
    this.isStopped = true;
    void this.watch?.stop();
  }

  summary(): string {
    const readings = this.watch?.readings ?? 0;
    return `submission ${this.id}: ${this.answered} received, ${this.cutUploads} uploads cut, ${readings} readings`;
  }

  private async open(): Promise<void> {
    const count = this.book.size;
    const expected: Measures = {
      ...Object.fromEntries(
        Object.entries(BOOK_ACCOUNT_MEASURES).map(([measure, value]) => [measure, value * count]),
      ),
      opening_balance: (BOOK_ACCOUNT_MEASURES.opening_balance * count).toFixed(2),
    };
    const { supplier, reference } = { supplier: this.portage.supplier, reference: this.reference };
    const answer = await this.portage.post(SUBMISSIONS, { import_supplier: supplier, reference, expected });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    this.id = answer.body.id as string;
    this.watch = new SubmissionWatch(this.portage, this.id, count);
  }

  /** Sends a request until it is answered with 200. @returns false after {@link stop} or an unexpected answer */
  private async repeat(name: string, send: () => Promise<Answer>): Promise<boolean> {
    const deadline = Date.now() + TIMEOUT_MS;
    while (!this.isStopped && Date.now() < deadline) {
      const answer = await send().catch(() => undefined);
      if (answer?.status === 200) return true;
      if (answer && answer.status < 500 && answer.status !== 429) {
        this.unexpectedAnswer = `${name}: ${answer.status} ${answer.text}`;
        return false;
      }
      if (name === 'upload' && this.sentLines >= FIRST_LINES) this.cutUploads += 1;
      await sleep(RETRY_DELAY_MS);
    }
    this.unexpectedAnswer ??= `The ${name} was not answered with 200 in time; ${this.summary()}`;
    return false;
  }

  /** Sends the whole file in one request. */
  private async upload(): Promise<Answer> {
    const { baseUrl, token } = this.portage;
    return new Promise<Answer>((resolve, reject) => {
      const request = httpRequest(
        `${baseUrl}${SUBMISSIONS}${this.id}/accounts/`,
        {
          method: 'POST',
          headers: { authorization: `Token ${token}`, 'content-type': 'application/x-ndjson' },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            lines.destroy();
            request.destroy();
            const text = Buffer.concat(chunks).toString();
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              body: parse(text),
            });
          });
        },
      );
      const lines = Readable.from(this.lines());
      request.on('error', (error) => {
        lines.destroy();
        reject(error);
      });
      lines.on('error', () => request.destroy());
      lines.pipe(request);
    });
  }

  private async *lines(): AsyncGenerator<string> {
    this.sentLines = 0;
    for (const body of this.book.values()) {
      while (this.sentLines >= this.allowed && !this.isStopped) await sleep(5);
      if (this.isStopped) throw new Error('The client was stopped.');
      // The example is indented, and a line is one account.
      yield `${JSON.stringify(JSON.parse(body))}\n`;
      this.sentLines += 1;
      if (this.sentLines % PACED_LINES === 0) await sleep(PACE_MS);
    }
  }

  private async waitUntilFinished(): Promise<Answer> {
    const read = async () => this.portage.get(`${SUBMISSIONS}${this.id}/`);
    let answer = await read();
    // The counts are up to a second old.
    await until(
      async () => {
        answer = await read();
        return answer.body.status === 'FINISHED';
      },
      10_000,
      () => `the submission is not FINISHED: ${answer.text}`,
    );
    return answer;
  }

  private differencesOfCounts({ received, refused, processed }: Record<string, number>): string[] {
    const { size } = this.book;
    return received === size && processed === size && refused === 0
      ? []
      : [`of ${size} lines ${received} were received, ${refused} refused and ${processed} processed`];
  }

  private async differencesOfResults(): Promise<string[]> {
    const { text } = await this.portage.get(`${SUBMISSIONS}${this.id}/results/`, {
      accept: 'application/x-ndjson',
    });
    const results = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
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

  private async differencesOfReconciliation(): Promise<string[]> {
    const { body } = await this.portage.get(`${SUBMISSIONS}${this.id}/reconciliation/`);
    const measures = body.measures as { measure: string; expected: unknown; difference: number | string }[];
    const different = measures.filter(
      ({ expected, difference }) => expected === null || Number(difference) !== 0,
    );
    return [
      ...(body.reconciled === true ? [] : ['the submission is not reconciled']),
      ...different.map((measure) => `reconciliation: ${JSON.stringify(measure)}`),
    ];
  }

  /** Each upload counts what it stored, so that all of them together have accepted each account once. */
  private async differencesOfUploads(): Promise<string[]> {
    const [sum] = await this.portage.sql<Record<string, number>>(
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
