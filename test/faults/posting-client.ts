import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type TestPortage, until } from '@portage/testing';

const CONNECTIONS = 32;
const PAUSE_MS = 100;
/** How long the client goes on asking for one account. */
const PATIENCE_MS = 120_000;

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
  readonly surprises: string[] = [];
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

  async hasAnswersTo(count: number): Promise<void> {
    await until(
      () => this.answered >= count || this.surprises.length > 0,
      PATIENCE_MS,
      () => `${count} answers of ${this.allowed} allowed accounts; ${this.summary()}`,
    );
    if (this.surprises.length > 0) throw new Error(this.surprises.slice(0, 5).join('\n'));
  }

  /** Posts the book; ends when all of it is answered, or with the first surprise. */
  async post(): Promise<void> {
    await this.postAll([...this.book.keys()]);
  }

  async postRefusedAgain(): Promise<void> {
    const numbers = [...this.refused];
    this.refused.clear();
    this.next = 0;
    await this.postAll(numbers);
    await this.hasAnswersTo(this.book.size);
  }

  /** Gives up what is not posted yet. */
  giveUp(): void {
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
    const end = Date.now() + PATIENCE_MS;
    for (let attempt = 1; Date.now() < end && !this.isOver; attempt += 1) {
      const answer = await this.portage
        .post('/v2/data-import/accounts/', this.book.get(number))
        .catch(() => undefined);
      if (answer && answer.status < 500) {
        this.note(number, answer, attempt);
        return;
      }
      this.sentAgain.add(number);
      await sleep(PAUSE_MS);
    }
    this.surprise(`${number} got no answer within ${PATIENCE_MS / 1_000} s; ${this.summary()}`);
  }

  private note(number: string, { status, body, text }: Answer, attempt: number): void {
    const isImported = body?.non_field_errors?.code === 'account_import_process_already_imported';
    if (status === 201 || (isImported && attempt > 1)) this.accepted.add(number);
    else if (body?.code === 'import_supplier_migration_not_ongoing') this.refused.add(number);
    else this.surprise(`${number}, attempt ${attempt}: ${status} ${text}`);
  }

  private surprise(what: string): void {
    this.surprises.push(what);
    this.giveUp();
  }
}
