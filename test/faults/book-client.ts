/** A supplier that sends a book while a fault is injected. It sends only as many accounts as are allowed. */
export interface BookClient {
  /** External account numbers of the accounts that must be imported exactly once. */
  readonly accepted: ReadonlySet<string>;
  /** Accounts that the service has taken in or refused so far. */
  readonly answered: number;
  /** Allows the first `count` accounts of the book to be sent. */
  allow(count: number): void;
  waitForAnswers(count: number): Promise<void>;
  /** Sends the book. Ends when it is accepted, or at the first unexpected answer. */
  send(): Promise<void>;
  /** After the import: differences between what was sent and what the service shows, one line each. */
  findDifferences(): Promise<string[]>;
  /** Stops without sending the remaining accounts. */
  stop(): void;
  summary(): string;
}
