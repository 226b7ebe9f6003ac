import { type ApiError } from '../api/api-error';
import { type DataImportApi } from '../api/data-import-api';
import { Unreachable } from '../api/retrying';
import { type BookAccount, type BookLine, validationBody } from '../book/book-line';
import { type ErrorList } from './error-file';
import { inParallel } from './in-parallel';
import { type Tally } from './tally';

/** Hands the book over, account by account, and records what the service said to each. */
export class Sender {
  private unreachableInARow = 0;

  constructor(
    private readonly api: DataImportApi,
    private readonly tally: Tally,
    private readonly errors: ErrorList,
    private readonly onAccepted: (account: BookAccount) => void,
  ) {}

  /**
   * Returns when the book is through, or `stop` is aborted and what was under way is finished.
   *
   * @throws Unreachable when as many accounts in a row as are sent at a time got no answer: each has been tried
   *   for minutes by then, and the rest of the book would fare no better
   */
  async send(book: AsyncIterable<BookLine>, concurrency: number, stop: AbortSignal): Promise<void> {
    await inParallel(
      book,
      concurrency,
      async (line) => {
        if (line.kind === 'bad') {
          this.refuse(line, { code: 'parse_error', attr: '', detail: line.detail });
          return;
        }
        await this.sendOne(line, stop);
        if (this.unreachableInARow >= concurrency) {
          throw new Unreachable(`no answer to ${this.unreachableInARow} accounts in a row`);
        }
      },
      stop,
    );
  }

  private async sendOne(account: BookAccount, stop: AbortSignal): Promise<void> {
    this.tally.sending();
    try {
      const answer = await this.api.schedule(account.body, () => validationBody(account));
      this.unreachableInARow = 0;
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
      if (!stop.aborted) this.unreachableInARow += 1;
      this.errors.add(account, 'unreachable', { code: 'unreachable', attr: '', detail: error.message });
    }
  }

  private refuse(line: BookLine, first: ApiError, ...rest: ApiError[]): void {
    const externalAccountNumber = line.kind === 'account' ? line.externalAccountNumber : '';
    this.tally.refuse(first.code);
    for (const error of [first, ...rest]) {
      this.errors.add({ line: line.line, externalAccountNumber }, 'refused', error);
    }
  }
}
