import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type TestPortage, until } from '@portage/testing';

const CONNECTIONS = 32;
const RETRY_DELAY_MS = 100;
/** How long the client goes on asking for one account. */
const TIMEOUT_MS = 120_000;

/**
 * A supplier that posts a book over 32 connections and sends again what was not answered, or with a 5xx. It is held
 * back at any account, so that a fault strikes in the middle of the posting however fast Portage is.
 */
export class PostingClient {
  /** Answered with 201, or found imported because an earlier 201 was lost on the way. */
  readonly accepted = new Set<string>();
  /** Refused because the supplier was paused. */
  readonly refused = new Set<string>();
  /** Anything that no supplier should see. */
  readonly unexpectedAnswers: string[] = [];
  /** Sent again at least once, because a request broke off or was answered with a 5xx. */
  readonly sentAgain = new Set<string>();
  private isOver = false;
  private next = 0;
  private allowed = 0;

  constructor(
    private readonly portage: Pick<TestPortage, 'post'>,
    /** Bodies by external account number, in the order of posting. */
    private readonly book: ReadonlyMap<string, string>,
  ) {}

  get answered(): number {
    return this.accepted.size + this.refused.size;
  }

  /** Lets the accounts up to this one be posted. */
  allow(count: number): void {
    this.allowed = Math.ceil(count);
  }

  async waitForAnswers(count: number): Promise<void> {
    await until(
      () => this.answered >= count || this.unexpectedAnswers.length > 0,
      TIMEOUT_MS,
      () => `${count} answers of ${this.allowed} allowed accounts; ${this.summary()}`,
    );
    if (this.unexpectedAnswers.length > 0) throw new Error(this.unexpectedAnswers.slice(0, 5).join('\n'));
  }

  /** Posts the book; ends when all of it is answered, or with the first reportUnexpected. */
  async post(): Promise<void> {
    await this.postAll([...this.book.keys()]);
  }

  async postRefusedAgain(): Promise<void> {
    const numbers = [...this.refused];
    this.refused.clear();
    this.next = 0;
    await this.postAll(numbers);
    await this.waitForAnswers(this.book.size);
  }

  /** Gives up what is not posted yet. */
  stop(): void {
    this.isOver = true;
  }

  summary(): string {
    const { accepted, refused, sentAgain } = this;
    return `${accepted.size} accepted, ${refused.size} refused, ${sentAgain.size} sent more than once`;
  }

  private async postAll(numbers: readonly string[]): Promise<void> {
    const connection = async (): Promise<void> => {
      for (let index = this.next++; index < numbers.length; index = this.next++) {
        while (index >= this.allowed && !this.isOver) await sleep(5);
        if (this.isOver) return;
        await this.postOne(numbers[index]!);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  }

  private async postOne(number: string): Promise<void> {
    const end = Date.now() + TIMEOUT_MS;
    for (let attempt = 1; Date.now() < end && !this.isOver; attempt += 1) {
      const answer = await this.portage
        .post('/v2/data-import/accounts/', this.book.get(number))
        .catch(() => undefined);
      if (answer && answer.status < 500) {
        this.note(number, answer, attempt);
        return;
      }
      this.sentAgain.add(number);
      await sleep(RETRY_DELAY_MS);
    }
    this.reportUnexpected(`${number} got no answer within ${TIMEOUT_MS / 1_000} s; ${this.summary()}`);
  }

  private note(number: string, { status, body, text }: Answer, attempt: number): void {
    const isImported = body?.non_field_errors?.code === 'account_import_process_already_imported';
    if (status === 201 || (isImported && attempt > 1)) this.accepted.add(number);
    else if (body?.code === 'import_supplier_migration_not_ongoing') this.refused.add(number);
    else this.reportUnexpected(`${number}, attempt ${attempt}: ${status} ${text}`);
  }

  private reportUnexpected(what: string): void {
    this.unexpectedAnswers.push(what);
    this.stop();
  }
}
