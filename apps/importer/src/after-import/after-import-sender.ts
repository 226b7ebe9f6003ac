import { type ApiError } from '../api/api-error';
import { Unreachable } from '../api/retrying';
import { type ErrorList, type Stage } from '../run/error-file';
import { inParallel } from '../run/in-parallel';
import { type AfterImportApi } from './after-import-api';
import { type AfterImportTally } from './after-import-tally';
import { byAccount } from './by-account';
import { InOrder } from './in-order';
import { type AfterImportLine, type AfterImportRequest } from './request-line';

/** Sends what is to be added to imported accounts, and records what the service said to each request. */
export class AfterImportSender {
  private readonly inOrder = new InOrder();
  /** Accounts with a request that got no answer. */
  private readonly heldBack = new Set<string>();
  private unreachableInARow = 0;

  constructor(
    private readonly api: AfterImportApi,
    private readonly tally: AfterImportTally,
    private readonly errors: ErrorList,
  ) {}

  /**
   * Sends requests about the same account in the order of the lines, one after the other, and accounts at the same
   * time. Returns when all are through, or `stop` is aborted and what was under way is finished.
   *
   * A request that is refused does not keep back the next one about its account; one without an answer does, because
   * it may still be done: sent again in the next run, it must not come after what replaces it.
   *
   * @throws Unreachable when as many requests in a row as are sent at a time got no answer
   */
  async send(lines: AsyncIterable<AfterImportLine>, concurrency: number, stop: AbortSignal): Promise<void> {
    await inParallel(
      byAccount(lines),
      concurrency,
      ({ account, lines: own }) =>
        this.inOrder.run(account, async () => {
          for (const line of own) {
            if (stop.aborted) return;
            if (line.kind === 'bad') this.refuseLine(line.line, line.detail);
            else await this.sendOne(line, stop);
            if (this.unreachableInARow >= concurrency)
              throw new Unreachable(`no answer to ${this.unreachableInARow} requests in a row`);
          }
        }),
      stop,
    );
  }

  private async sendOne(request: AfterImportRequest, stop: AbortSignal): Promise<void> {
    const counts = this.tally.of(request.endpoint);
    counts.requests += 1;
    if (this.heldBack.has(request.account)) {
      const detail = 'Not sent, because an earlier request about the account got no answer.';
      this.fail(request, { code: 'not_sent', attr: '', detail });
      return;
    }
    try {
      const answer = await this.api.add(request);
      this.unreachableInARow = 0;
      if (answer.kind === 'done') {
        counts.added += answer.added;
        counts.alreadyThere += answer.alreadyThere;
      } else if (answer.kind === 'refused') {
        counts.refused.add(answer.errors[0].code);
        this.list(request, 'refused', answer.errors);
      } else {
        this.fail(request, answer.error);
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (!stop.aborted) this.unreachableInARow += 1;
      this.fail(request, { code: 'unreachable', attr: '', detail: error.message });
    }
  }

  private fail(request: AfterImportRequest, error: ApiError): void {
    this.heldBack.add(request.account);
    this.tally.of(request.endpoint).failed += 1;
    this.list(request, 'failed', [error]);
  }

  private refuseLine(line: number, detail: string): void {
    const counts = this.tally.of('unreadable');
    counts.requests += 1;
    counts.refused.add('parse_error');
    this.list({ line, endpoint: 'unreadable', externalAccountNumber: '' }, 'refused', [
      { code: 'parse_error', attr: '', detail },
    ]);
  }

  private list(
    about: { line: number; endpoint: string; externalAccountNumber: string },
    stage: Stage,
    errors: ApiError[],
  ): void {
    const { line, endpoint, externalAccountNumber } = about;
    for (const error of errors)
      this.errors.add({ line, request: endpoint, externalAccountNumber }, stage, error);
  }
}
