import { checkHistory } from './check-history';
import type { Call, FinalViews, StoredAccount } from './history';

const call = (operation: Call['operation'], at: number, more: Partial<Call> = {}): Call => ({
  operation,
  instance: 'api-1',
  account: 'N-1',
  startedAt: at,
  endedAt: at + 1,
  status: 200,
  ...more,
});

/** A history without faults of the service: one answer was lost, and reads overlap. */
const CALLS: readonly Call[] = [
  call('schedule', 0, { status: 0 }),
  call('status', 1, { status: 404, instance: 'api-2' }),
  call('schedule', 2, { status: 201 }),
  call('status', 4, { seen: 'PENDING', endedAt: 9 }),
  call('status', 5, { seen: 'PROCESSED', accountNumber: 'A-1', instance: 'api-2' }),
  call('schedule', 7, { status: 400, code: 'account_import_process_already_imported' }),
  call('status', 10, { seen: 'PROCESSED', accountNumber: 'A-1' }),
  call('transfer-status', 11, { seen: 'PROCESSED', accountNumber: 'A-1' }),
  call('transactions', 12, { status: 503, item: 'T-1' }),
  call('transactions', 14, { status: 201, item: 'T-1' }),
  call('transactions', 16, { status: 0, item: 'T-2' }),
  call('note', 18, { status: 201, item: 'Note 1' }),
  call('schedule', 20, { status: 503, account: 'N-2' }),
];

const STORED: StoredAccount = {
  account: 'N-1',
  accounts: 1,
  accountsOfNumber: 1,
  isSame: true,
  customers: 1,
  hasPayload: true,
  events: ['SCHEDULED', 'PROCESSED'],
  status: 'PROCESSED',
  errorCode: null,
  accountNumber: 'A-1',
  transactions: { 'T-1': 1, 'T-2': 1 },
  notes: { 'Note 1': 1 },
  balance: -20,
  entries: -20,
  window: { opensAt: 5, startedAt: 5 },
};

const VIEW: FinalViews = { view: 'v2 at api-1', imported: new Map([['N-1', 'A-1']]), repeated: [] };

const check = ({ calls = [], stored = {}, view = {}, without }: Damage): string[] =>
  checkHistory(
    [...CALLS.filter((one) => !without?.(one)), ...calls],
    stored === 'none' ? [] : [{ ...STORED, ...stored }],
    [{ ...VIEW, ...view }],
  );

interface Damage {
  title?: string;
  calls?: Call[];
  without?: (call: Call) => boolean;
  stored?: Partial<StoredAccount> | 'none';
  view?: Partial<FinalViews>;
  expected?: string;
}

const DAMAGES: readonly Damage[] = [
  {
    title: '404 after a 201',
    calls: [call('status', 4, { status: 404, instance: 'api-2' })],
    expected: 'N-1: 404 at api-2 after schedule 201 at api-1',
  },
  {
    title: 'a state behind one that was seen elsewhere',
    calls: [call('status', 30, { seen: 'IN_PROGRESS' })],
    expected: 'N-1: IN_PROGRESS at api-1 after status PROCESSED at api-2',
  },
  {
    title: 'a state that follows no accepted account',
    calls: [call('status', 30, { seen: 'CANCELLED' })],
    expected: 'N-1: CANCELLED at api-1 after status PROCESSED at api-2',
  },
  {
    title: 'v1 behind v2',
    calls: [call('transfer-status', 30, { seen: 'PENDING' })],
    expected: 'N-1: v1 does not show it as imported at api-1 after status PROCESSED at api-2',
  },
  {
    title: 'a changed account number',
    calls: [call('status', 30, { seen: 'PROCESSED', accountNumber: 'A-2' })],
    expected: 'N-1: has several account numbers: A-1, A-2',
  },
  {
    title: 'a refusal without an earlier call',
    without: ({ status, operation }) => operation === 'schedule' && status !== 400,
    expected: 'N-1: refused with 400 account_import_process_already_imported at api-1',
  },
  {
    title: 'a refused note',
    calls: [call('note', 30, { status: 404, code: 'account_not_found', item: 'Note 1' })],
    expected: 'N-1: note refused with 404 account_not_found at api-1',
  },
  { title: 'a lost account', stored: 'none', expected: 'N-1: was accepted, and is not stored' },
  {
    title: 'an unfinished account',
    stored: { status: 'PENDING', events: ['SCHEDULED'] },
    expected: 'N-1: was accepted, and ended PENDING',
  },
  { title: 'a doubled account', stored: { accounts: 2 }, expected: 'N-1: has 2 accounts' },
  {
    title: 'a doubled end',
    stored: { events: ['SCHEDULED', 'PROCESSED', 'PROCESSED'] },
    expected: 'N-1: has 2 PROCESSED events',
  },
  {
    title: 'events that the states forbid',
    stored: { events: ['PROCESSED'] },
    expected: 'N-1: is PROCESSED after PROCESSED',
  },
  {
    title: 'a second account by another process',
    stored: { accountsOfNumber: 2 },
    expected: 'N-1: has 2 accounts of its number',
  },
  { title: 'other numbers', stored: { isSame: false }, expected: 'N-1: has an account with other numbers' },
  {
    title: 'an account without a customer',
    stored: { customers: 0 },
    expected: 'N-1: has an account without a customer',
  },
  { title: 'a missing payload', stored: { hasPayload: false }, expected: 'N-1: has no payload' },
  {
    title: 'a stored number that was not shown',
    stored: { accountNumber: 'A-3' },
    expected: 'N-1: was shown with the number A-1, and has A-3',
  },
  {
    title: 'a lost transaction',
    stored: { transactions: { 'T-2': 1 } },
    expected: 'N-1: transactions T-1 was confirmed, and is not stored',
  },
  {
    title: 'a doubled transaction that was never confirmed',
    stored: { transactions: { 'T-1': 1, 'T-2': 2 } },
    expected: 'N-1: transactions T-2 is stored 2 times',
  },
  {
    title: 'a foreign note',
    stored: { notes: { 'Note 1': 1, 'Note 9': 1 } },
    expected: 'N-1: note Note 9 is stored, and was not sent',
  },
  {
    title: 'a doubled note',
    stored: { notes: { 'Note 1': 2 } },
    expected: 'N-1: note Note 1 is stored 2 times',
  },
  {
    title: 'a wrong balance',
    stored: { balance: -10 },
    expected: 'N-1: has the balance -10, and entries of -20',
  },
  {
    title: 'a start before the window',
    stored: { window: { opensAt: 9, startedAt: 5 } },
    expected: 'N-1: was started 4 ms before its window opened',
  },
  {
    title: 'a view without the account',
    view: { imported: new Map() },
    expected: 'N-1: v2 at api-1 does not show it as imported',
  },
  {
    title: 'a view with another number',
    view: { imported: new Map([['N-1', 'A-9']]) },
    expected: 'N-1: v2 at api-1 shows the number A-9',
  },
  {
    title: 'a view that repeats the account',
    view: { repeated: ['N-1'] },
    expected: 'N-1: v2 at api-1 shows it more than once',
  },
  {
    title: 'an account that no client sent',
    stored: { account: 'N-7' },
    expected: 'N-7: is stored, and was not sent',
  },
];

describe('the history checker', () => {
  it('accepts a history with lost answers and overlapping reads', () => {
    expect(check({})).toEqual([]);
  });

  it('accepts an account of which no call was answered, stored or not', () => {
    const calls = [call('schedule', 0, { status: 0, account: 'N-2' })];
    expect(checkHistory(calls, [], [])).toEqual([]);
    const other = { ...STORED, account: 'N-2', transactions: {}, notes: {} };
    expect(checkHistory(calls, [{ ...other, status: 'PENDING', events: ['SCHEDULED'] }], [VIEW])).toEqual([]);
  });

  it.each(DAMAGES)('finds $title', ({ expected, ...damage }) => {
    expect(check(damage)).toContain(expected);
  });
});
