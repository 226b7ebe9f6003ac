import { type ImportProcessStatus, type NoProcess, transition } from '../../../imports/src/processes/status';
import { ACTION_OF } from '../event-actions';
import { ALREADY_IMPORTED, type Call, type FinalViews, isUnanswered, type StoredAccount } from './history';

/** The order in which an account may be seen in its states. */
const RANK: Readonly<Record<string, number>> = { PENDING: 0, IN_PROGRESS: 1, PROCESSED: 2 };

/** What a run expects besides. */
export interface Expectations {
  /** Codes with which accounts may be refused. */
  refusals?: readonly string[];
  /** True if accounts bring transactions and notes with them, to which clients add none. */
  haveOwnItems?: boolean;
}

/**
 * Checks what clients have seen, and what is stored, after a run. Linear for each account: a call that began after
 * another one had ended must not show an earlier state.
 *
 * @returns one line for each violation
 */
export function checkHistory(
  calls: readonly Call[],
  stored: readonly StoredAccount[],
  views: readonly FinalViews[],
  { refusals = [], haveOwnItems = false }: Expectations = {},
): string[] {
  const violations: string[] = [];
  const byAccount = groupBy(calls, ({ account }) => account);
  const storedByAccount = new Map(stored.map((one) => [one.account, one]));
  for (const [account, history] of byAccount) {
    const report = (text: string) => violations.push(`${account}: ${text}`);
    const inOrder = history.toSorted((one, other) => one.startedAt - other.startedAt);
    checkReads(inOrder, report);
    checkAnswers(inOrder, refusals, report);
    if (!haveOwnItems) checkItems(inOrder, storedByAccount.get(account), report);
    if (isAccepted(inOrder)) checkEnd(inOrder, storedByAccount.get(account), views, report);
  }
  for (const one of stored) {
    const report = (text: string) => violations.push(`${one.account}: ${text}`);
    if (!byAccount.has(one.account)) report('is stored, and was not sent');
    checkStored(one, report);
  }
  for (const { view, repeated } of views)
    for (const account of repeated) violations.push(`${account}: ${view} shows it more than once`);
  return violations;
}

type Report = (text: string) => void;

/** True once the service has confirmed the account, with 201 or with a refusal that says that it is imported. */
function isAccepted(history: readonly Call[]): boolean {
  return history.some(
    ({ operation, status, code }) =>
      operation === 'schedule' && (status === 201 || code === ALREADY_IMPORTED),
  );
}

/** No read goes back behind what an earlier call has shown, at any instance. */
function checkReads(history: readonly Call[], report: Report): void {
  const numbers = new Set<string>();
  // Facts by the end of the call that has shown them, in this order.
  const facts = history
    .filter(({ status, operation, seen }) => (operation === 'schedule' && status === 201) || seen)
    .map((call) => ({ at: call.endedAt, rank: call.seen ? (RANK[call.seen] ?? -1) : 0, call }))
    .toSorted((one, other) => one.at - other.at);
  let next = 0;
  let known: (typeof facts)[number] | undefined;
  for (const call of history) {
    for (; next < facts.length && facts[next]!.at < call.startedAt; next += 1)
      if (!known || facts[next]!.rank > known.rank) known = facts[next];
    if (call.accountNumber) numbers.add(call.accountNumber);
    const isRead = call.operation === 'status' || call.operation === 'transfer-status';
    if (!isRead || !known || isUnanswered(call)) continue;
    if (call.status === 404) report(`404 at ${call.instance} after ${describe(known.call)}`);
    else if (call.seen && !(call.seen in RANK))
      report(`${call.seen} at ${call.instance} after ${describe(known.call)}`);
    else if (call.seen && RANK[call.seen]! < known.rank && call.operation === 'status')
      report(`${call.seen} at ${call.instance} after ${describe(known.call)}`);
    // The older form has one state for all that is not imported.
    else if (call.operation === 'transfer-status' && known.rank === 2 && call.seen !== 'PROCESSED')
      report(`v1 does not show it as imported at ${call.instance} after ${describe(known.call)}`);
  }
  if (numbers.size > 1) report(`has several account numbers: ${[...numbers].join(', ')}`);
}

/** Every refusal has an earlier call that explains it. */
function checkAnswers(history: readonly Call[], refusals: readonly string[], report: Report): void {
  for (const call of history) {
    if (isUnanswered(call) || call.status < 400) continue;
    if (call.operation === 'schedule') {
      const isExplained = history.some(
        (earlier) =>
          earlier.operation === 'schedule' &&
          earlier.startedAt < call.startedAt &&
          (isUnanswered(earlier) || earlier.status === 201),
      );
      if (refusals.includes(call.code ?? '')) continue;
      if (call.code !== ALREADY_IMPORTED || !isExplained)
        report(`refused with ${call.status} ${call.code ?? ''} at ${call.instance}`);
    } else if (call.operation === 'transactions' || call.operation === 'note')
      report(`${call.operation} refused with ${call.status} ${call.code ?? ''} at ${call.instance}`);
  }
}

/** Transactions and notes that were confirmed are stored once, others once at most. */
function checkItems(history: readonly Call[], stored: StoredAccount | undefined, report: Report): void {
  for (const operation of ['transactions', 'note'] as const) {
    const sent = groupBy(
      history.filter((call) => call.operation === operation && call.item !== undefined),
      ({ item }) => item!,
    );
    const counts = (operation === 'note' ? stored?.notes : stored?.transactions) ?? {};
    for (const [item, attempts] of sent) {
      const count = counts[item] ?? 0;
      const isConfirmed = attempts.some(({ status }) => status === 200 || status === 201);
      if (count > 1) report(`${operation} ${item} is stored ${count} times`);
      if (count === 0 && isConfirmed) report(`${operation} ${item} was confirmed, and is not stored`);
    }
    for (const item of Object.keys(counts))
      if (!sent.has(item)) report(`${operation} ${item} is stored, and was not sent`);
  }
  if (stored && stored.balance !== stored.entries)
    report(`has the balance ${stored.balance}, and entries of ${stored.entries}`);
}

function checkEnd(
  history: readonly Call[],
  stored: StoredAccount | undefined,
  views: readonly FinalViews[],
  report: Report,
): void {
  if (!stored) {
    report('was accepted, and is not stored');
    return;
  }
  const { accounts, status, errorCode, accountNumber, window } = stored;
  if (status !== 'PROCESSED') report(`was accepted, and ended ${status} ${errorCode ?? ''}`.trim());
  if (accounts !== 1) report(`has ${accounts} accounts`);
  const ends = countEnds(stored);
  if (ends !== 1) report(`has ${ends} PROCESSED events`);
  if (window && window.startedAt < window.opensAt)
    report(`was started ${window.opensAt - window.startedAt} ms before its window opened`);
  const shown = history.find((call) => call.accountNumber)?.accountNumber;
  if (shown !== undefined && shown !== accountNumber)
    report(`was shown with the number ${shown}, and has ${accountNumber}`);
  for (const { view, imported } of views) {
    if (!imported.has(stored.account)) report(`${view} does not show it as imported`);
    const number = imported.get(stored.account);
    if (number !== undefined && number !== accountNumber) report(`${view} shows the number ${number}`);
  }
}

/** What holds for every process, however its account was sent. */
function checkStored(stored: StoredAccount, report: Report): void {
  const { accounts, accountsOfNumber, isSame, customers, hasPayload, events, status } = stored;
  if (accountsOfNumber > 1) report(`has ${accountsOfNumber} accounts of its number`);
  if (accounts > 0 && !isSame) report('has an account with other numbers');
  if (accounts > 0 && customers === 0) report('has an account without a customer');
  if (!hasPayload) report('has no payload');
  const end = events.reduce<ImportProcessStatus | NoProcess | undefined>(
    (reached, event) => reached && transition(reached, ACTION_OF[event]),
    'none',
  );
  if (end !== status) report(`is ${status} after ${events.join(', ')}`);
}

/** How often an account was created. */
export function countEnds({ events }: Pick<StoredAccount, 'events'>): number {
  return events.filter((event) => event === 'PROCESSED').length;
}

function describe({ operation, instance, status, seen }: Call): string {
  return `${operation} ${seen ?? status} at ${instance}`;
}

/** As Map.groupBy, which Node 20 does not have. */
function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
