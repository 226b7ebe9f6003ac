import { type FieldError, Unreachable } from '@portage/client';
import { type DoneLines, noCheckpoint } from '../run/checkpoint';
import type { ErrorList, Stage } from '../run/error-file';
import { forEachConcurrently } from '../run/for-each-concurrently';
import { noRejectedLines, type RejectedLines } from '../run/rejected-lines';
import type { AfterImportApi } from './after-import-api';
import type { AfterImportTally } from './after-import-tally';
import { groupByAccount } from './group-by-account';
import { KeyedQueue } from './keyed-queue';
import type { AfterImportLine, AfterImportRequest } from './request-line';

/** Sends after-import requests and records the result of each. */
export class AfterImportSender {
  private readonly keyedQueue = new KeyedQueue();
  /** Accounts with a failed request; their later requests are not sent. */
  private readonly blockedAccounts = new Set<string>();
  private consecutiveUnreachable = 0;

  constructor(
    private readonly api: AfterImportApi,
    private readonly tally: AfterImportTally,
    private readonly errors: ErrorList,
    private readonly rejected: RejectedLines = noRejectedLines,
    private readonly checkpoint: DoneLines = noCheckpoint,
  ) {}

  /**
   * Sends the requests of an account in the order of their lines, one after the other, and those of different accounts
   * concurrently. Returns when all requests are done, or when `stop` is aborted and the requests in progress are done.
   *
   * After a refused request, the account's next request is sent. After a failed one it is not: the failed request may
   * still take effect, and when it is repeated in the next run it must not follow a later request.
   *
   * @throws Unreachable if as many consecutive requests as the concurrency got no response
   */
  async send(lines: AsyncIterable<AfterImportLine>, concurrency: number, stop: AbortSignal): Promise<void> {
    await forEachConcurrently(
      groupByAccount(lines),
      concurrency,
      ({ account, lines: own }) =>
        this.keyedQueue.run(account, async () => {
          for (const line of own) {
            if (stop.aborted) return;
            if (line.kind === 'bad') this.refuseLine(line.line, line.detail);
            else await this.sendOne(line, stop);
            if (this.consecutiveUnreachable >= concurrency)
              throw new Unreachable(`no response to ${this.consecutiveUnreachable} consecutive requests`);
          }
        }),
      stop,
    );
  }

  private async sendOne(request: AfterImportRequest, stop: AbortSignal): Promise<void> {
    const counts = this.tally.forEndpoint(request.endpoint);
    if (this.checkpoint.has(request.line)) {
      counts.acceptedBefore += 1;
      return;
    }
    counts.requests += 1;
    if (this.blockedAccounts.has(request.account)) {
      const detail = 'Not sent, because an earlier request about the account got no response.';
      this.fail(request, { code: 'not_sent', attr: '', detail });
      return;
    }
    try {
      const answer = await this.api.add(request);
      this.consecutiveUnreachable = 0;
      if (answer.kind === 'done') {
        counts.added += answer.added;
        counts.alreadyThere += answer.alreadyThere;
        counts.moved += answer.moved;
        counts.dryRun += answer.dryRun;
        counts.differing += answer.differing.length;
        this.tally.ignoredFields.add(answer.ignoredFields);
        this.list(request, 'differing', answer.differing);
        // A request with differing transactions is reported by every run.
        if (answer.differing.length === 0) await this.checkpoint.add(request.line);
      } else if (answer.kind === 'refused') {
        counts.refused.add(answer.errors[0].code);
        this.rejected.add(request.line);
        this.list(request, 'refused', answer.errors);
      } else {
        this.fail(request, answer.error);
      }
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (!stop.aborted) this.consecutiveUnreachable += 1;
      this.fail(request, { code: 'unreachable', attr: '', detail: error.message });
    }
  }

  private fail(request: AfterImportRequest, error: FieldError): void {
    this.blockedAccounts.add(request.account);
    this.tally.forEndpoint(request.endpoint).failed += 1;
    this.list(request, 'failed', [error]);
  }

  private refuseLine(line: number, detail: string): void {
    const counts = this.tally.forEndpoint('unreadable');
    counts.requests += 1;
    counts.refused.add('parse_error');
    this.rejected.add(line);
    this.list({ line, endpoint: 'unreadable', externalAccountNumber: '' }, 'refused', [
      { code: 'parse_error', attr: '', detail },
    ]);
  }

  private list(
    about: { line: number; endpoint: string; externalAccountNumber: string },
    stage: Stage,
    errors: FieldError[],
  ): void {
    const { line, endpoint, externalAccountNumber } = about;
    for (const error of errors)
      this.errors.add({ line, request: endpoint, externalAccountNumber }, stage, error);
  }
}
