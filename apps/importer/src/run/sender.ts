import { type ApiError } from '../api/api-error';
import { type DataImportApi } from '../api/data-import-api';
import { Unreachable } from '../api/retrier';
import { type BookAccount, type BookLine, toValidationBody } from '../book/book-line';
import { type ErrorList } from './error-file';
import { forEachConcurrently } from './for-each-concurrently';
import { type Tally } from './tally';

/** Sends the accounts of a book and records the result of each. */
export class Sender {
  private consecutiveUnreachable = 0;

  constructor(
    private readonly api: DataImportApi,
    private readonly tally: Tally,
    private readonly errors: ErrorList,
    private readonly onAccepted: (account: BookAccount) => void,
  ) {}

  /**
   * Returns when all accounts are sent, or when `stop` is aborted and the requests in progress are done.
   *
   * @throws Unreachable if as many consecutive accounts as the concurrency got no response: each of them was retried
   *   for minutes, so the rest of the book would fail as well
   */
  async send(book: AsyncIterable<BookLine>, concurrency: number, stop: AbortSignal): Promise<void> {
    await forEachConcurrently(
      book,
      concurrency,
      async (line) => {
        if (line.kind === 'bad') {
          this.refuse(line, { code: 'parse_error', attr: '', detail: line.detail });
          return;
        }
        await this.sendOne(line, stop);
        if (this.consecutiveUnreachable >= concurrency) {
          throw new Unreachable(`no response to ${this.consecutiveUnreachable} consecutive accounts`);
        }
      },
      stop,
    );
  }

  private async sendOne(account: BookAccount, stop: AbortSignal): Promise<void> {
    this.tally.recordSending();
    try {
      const answer = await this.api.schedule(account.body, () => toValidationBody(account));
      this.consecutiveUnreachable = 0;
      if (answer.kind === 'accepted') {
        this.tally.accepted += 1;
        this.onAccepted(account);
      } else if (answer.kind === 'already-imported') {
        this.tally.alreadyImported += 1;
      } else {
        this.refuse(account, ...answer.errors);
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.tally.unreachable += 1;
      if (!stop.aborted) this.consecutiveUnreachable += 1;
      this.errors.add(account, 'unreachable', { code: 'unreachable', attr: '', detail: error.message });
    }
  }

  private refuse(line: BookLine, first: ApiError, ...rest: ApiError[]): void {
    const externalAccountNumber = line.kind === 'account' ? line.externalAccountNumber : '';
    this.tally.recordRefused(first.code);
    for (const error of [first, ...rest]) {
      this.errors.add({ line: line.line, externalAccountNumber }, 'refused', error);
    }
  }
}
