import { type FieldError, Unreachable } from '@portage/client';
import { ALREADY_IMPORTED, type DataImportApi } from '../api/data-import-api';
import type { AccountIndex } from '../book/account-index';
import type { BookAccount, BookLine } from '../book/book-line';
import { payloadDigest } from '../book/payload-digest';
import type { LineStates } from './checkpoint';
import type { ErrorList } from './error-file';
import { forEachConcurrently } from './for-each-concurrently';
import type { RejectedLines } from './rejected-lines';
import type { Tally } from './tally';

/** What the sender decides by and where it reports. */
export interface SenderParts {
  tally: Tally;
  errors: ErrorList;
  rejected: RejectedLines;
  index: AccountIndex;
  checkpoint: LineStates;
}

/** How accounts are sent. */
export interface SendingMode {
  /** Accounts are checked, and none is scheduled. */
  validateOnly: boolean;
  /** Accounts with undocumented fields are not scheduled. */
  rejectUnknown: boolean;
}

/** Learns which accounts the service has accepted. */
export interface AcceptedAccounts {
  /** Before an account of the supplier is sent. */
  prepare(supplier: string): Promise<void>;
  /** @param isSentBefore true if an earlier run has sent it */
  add(account: BookAccount, isSentBefore: boolean): void;
}

/** Sends the accounts of a book and records the result of each. */
export class Sender {
  private consecutiveUnreachable = 0;

  constructor(
    private readonly api: DataImportApi,
    private readonly parts: SenderParts,
    private readonly mode: SendingMode,
    private readonly follower: AcceptedAccounts,
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
        if (!this.isToSend(line)) return;
        await this.sendOne(line, stop);
        if (this.consecutiveUnreachable >= concurrency) {
          throw new Unreachable(`no response to ${this.consecutiveUnreachable} consecutive accounts`);
        }
      },
      stop,
    );
  }

  private isToSend(account: BookAccount): boolean {
    const { tally, errors, rejected, index, checkpoint } = this.parts;
    const role = index.roleOf(account.line);
    if (role === 'repeated') tally.repeated += 1;
    if (role === 'superseded') tally.superseded += 1;
    if (role === 'conflicting') {
      tally.conflicting += 1;
      errors.add(account, 'conflicting', index.conflictOf(account.line));
      rejected.add(account.line);
    }
    if (role !== 'sent') return false;
    const state = checkpoint.stateOf('book', account.line);
    if (state === 'open') return true;
    tally.acceptedBefore += 1;
    if (state === 'done') tally.doneBefore += 1;
    else this.follower.add(account, true);
    return false;
  }

  private async sendOne(account: BookAccount, stop: AbortSignal): Promise<void> {
    this.parts.tally.recordSending();
    try {
      if (this.mode.validateOnly) await this.validate(account);
      else await this.schedule(account);
      this.consecutiveUnreachable = 0;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.parts.tally.unreachable += 1;
      if (!stop.aborted) this.consecutiveUnreachable += 1;
      this.parts.errors.add(account, 'unreachable', { code: 'unreachable', attr: '', detail: error.message });
    }
  }

  private async validate(account: BookAccount): Promise<void> {
    const { tally } = this.parts;
    const { errors, ignoredFields } = await this.api.validate(account.body);
    tally.ignoredFields.add(ignoredFields);
    const [first, ...rest] = [...errors, ...this.unknownFieldErrors(ignoredFields)];
    if (first === undefined) tally.valid += 1;
    else if (rest.length === 0 && first.code === ALREADY_IMPORTED) {
      // The validate endpoint does not say which payload was imported; the status does.
      const process = await this.api.status(account.supplier, account.externalIdentifier);
      await this.recordAlreadyImported(account, process?.digest);
    } else this.refuse(account, first, ...rest);
  }

  private async schedule(account: BookAccount): Promise<void> {
    const { tally, checkpoint } = this.parts;
    if (this.mode.rejectUnknown) {
      const { ignoredFields } = await this.api.validate(account.body);
      const [first, ...rest] = this.unknownFieldErrors(ignoredFields);
      if (first !== undefined) {
        tally.ignoredFields.add(ignoredFields);
        this.refuse(account, first, ...rest);
        return;
      }
    }
    await this.follower.prepare(account.supplier);
    const answer = await this.api.schedule(account.body);
    tally.ignoredFields.add(answer.ignoredFields);
    if (answer.kind === 'accepted') {
      await checkpoint.record('book', account.line, 'accepted');
      tally.accepted += 1;
      this.follower.add(account, false);
    } else if (answer.kind === 'already-imported') {
      await this.recordAlreadyImported(account, answer.digest);
    } else {
      this.refuse(account, ...answer.errors);
    }
  }

  /** @param digest that of the imported payload; undefined if the service does not know it */
  private async recordAlreadyImported(account: BookAccount, digest: string | undefined): Promise<void> {
    const { tally, errors, rejected, checkpoint } = this.parts;
    if (digest === undefined || digest === payloadDigest(account.payload)) {
      tally.alreadyImported += 1;
      if (!this.mode.validateOnly) await checkpoint.record('book', account.line, 'done');
      return;
    }
    tally.alreadyImportedDiffering += 1;
    const detail =
      'The account was imported before with other content, which is unchanged. Send the difference to the platform in another way.';
    errors.add(account, 'differing', { code: 'already_imported_differing', attr: '', detail });
    rejected.add(account.line);
  }

  private unknownFieldErrors(ignoredFields: string[]): FieldError[] {
    if (!this.mode.rejectUnknown) return [];
    return ignoredFields.map((attr) => ({
      code: 'unknown_field',
      attr,
      detail: 'The service does not know this field and would ignore it (--reject-unknown).',
    }));
  }

  private refuse(line: BookLine, first: FieldError, ...rest: FieldError[]): void {
    const { tally, errors, rejected } = this.parts;
    const externalAccountNumber = line.kind === 'account' ? line.externalAccountNumber : '';
    tally.recordRefused(first.code);
    rejected.add(line.line);
    for (const error of [first, ...rest]) {
      errors.add({ line: line.line, externalAccountNumber }, 'refused', error);
    }
  }
}
