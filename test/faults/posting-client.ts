import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type TestPortage, until } from '@portage/testing';
import type { BookClient } from './book-client';

const CONNECTIONS = 32;
const RETRY_DELAY_MS = 100;
/** The time for which the client retries one account. */
const TIMEOUT_MS = 120_000;

/**
 * A supplier that posts a book over 32 connections and retries requests that broke off or were answered with 5xx. It posts
 * only as many accounts as are allowed, so that a fault is injected while accounts are being posted.
 */
export class PostingClient implements BookClient {
  /** Answered with 201, or with `already imported` after an earlier 201 was lost. */
  readonly accepted = new Set<string>();
  /** Refused because the supplier was paused. */
  readonly refused = new Set<string>();
  /** Answers that a supplier must not get. */
  readonly unexpectedAnswers: string[] = [];
  /** Posted more than once, because a request broke off or was answered with 5xx. */
  readonly retried = new Set<string>();
  private isStopped = false;
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

  async send(): Promise<void> {
    await this.postAll([...this.book.keys()]);
  }

  async retryRefused(): Promise<void> {
    const numbers = [...this.refused];
    this.refused.clear();
    this.next = 0;
    await this.postAll(numbers);
    await this.waitForAnswers(this.book.size);
  }

  /** Every answer was checked when it arrived. */
  async findDifferences(): Promise<string[]> {
    return Promise.resolve([]);
  }

  stop(): void {
    this.isStopped = true;
  }

  summary(): string {
    const { accepted, refused, retried } = this;
    return `${accepted.size} accepted, ${refused.size} refused, ${retried.size} posted more than once`;
  }

  private async postAll(numbers: readonly string[]): Promise<void> {
    const connection = async (): Promise<void> => {
      for (let index = this.next++; index < numbers.length; index = this.next++) {
        while (index >= this.allowed && !this.isStopped) await sleep(5);
        if (this.isStopped) return;
        await this.postOne(numbers[index]!);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  }

  private async postOne(number: string): Promise<void> {
    const deadline = Date.now() + TIMEOUT_MS;
    for (let attempt = 1; Date.now() < deadline && !this.isStopped; attempt += 1) {
      const answer = await this.portage
        .post('/v2/data-import/accounts/', this.book.get(number))
        .catch(() => undefined);
      if (answer && answer.status < 500) {
        this.recordAnswer(number, answer, attempt);
        return;
      }
      this.retried.add(number);
      await sleep(RETRY_DELAY_MS);
    }
    this.reportUnexpected(`${number} got no answer within ${TIMEOUT_MS / 1_000} s; ${this.summary()}`);
  }

  private recordAnswer(number: string, { status, body, text }: Answer, attempt: number): void {
    const isImported = body?.non_field_errors?.code === 'account_import_process_already_imported';
    if (status === 201 || (isImported && attempt > 1)) this.accepted.add(number);
    else if (body?.code === 'import_supplier_migration_not_ongoing') this.refused.add(number);
    else this.reportUnexpected(`${number}, attempt ${attempt}: ${status} ${text}`);
  }

  private reportUnexpected(description: string): void {
    this.unexpectedAnswers.push(description);
    this.stop();
  }
}
