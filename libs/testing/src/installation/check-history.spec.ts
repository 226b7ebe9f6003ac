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

/** The violations of the history with further calls, other stored values or another view. */
const check = ({ calls = [], stored = {}, view = {} }: Damage): string[] =>
  checkHistory([...CALLS, ...calls], [{ ...STORED, ...stored }], [{ ...VIEW, ...view }]);

interface Damage {
  calls?: Call[];
  stored?: Partial<StoredAccount>;
  view?: Partial<FinalViews>;
}

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

  it.each<[string, Call, string]>([
    [
      '404 after a 201',
      call('status', 4, { status: 404, instance: 'api-2' }),
      '404 at api-2 after schedule 201 at api-1',
    ],
    [
      'a state behind one that was seen elsewhere',
      call('status', 30, { seen: 'IN_PROGRESS' }),
      'IN_PROGRESS at api-1 after status PROCESSED at api-2',
    ],
    [
      'a state that follows no accepted account',
      call('status', 30, { seen: 'CANCELLED' }),
      'CANCELLED at api-1 after status PROCESSED at api-2',
    ],
    [
      'v1 behind v2',
      call('transfer-status', 30, { seen: 'PENDING' }),
      'v1 does not show it as imported at api-1 after status PROCESSED at api-2',
    ],
    [
      'a changed account number',
      call('status', 30, { seen: 'PROCESSED', accountNumber: 'A-2' }),
      'has several account numbers: A-1, A-2',
    ],
    [
      'a refused note',
      call('note', 30, { status: 404, code: 'account_not_found', item: 'Note 1' }),
      'note refused with 404 account_not_found at api-1',
    ],
  ])('finds %s', (_title, further, expected) => {
    expect(check({ calls: [further] })).toContain(`N-1: ${expected}`);
  });

  it('finds a refusal without an earlier call', () => {
    const calls = CALLS.filter(({ status, operation }) => operation !== 'schedule' || status === 400);
    expect(checkHistory(calls, [STORED], [VIEW])).toContain(
      'N-1: refused with 400 account_import_process_already_imported at api-1',
    );
  });

  it.each<[string, Partial<StoredAccount>, string]>([
    [
      'an unfinished account',
      { status: 'PENDING', events: ['SCHEDULED'] },
      'was accepted, and ended PENDING',
    ],
    ['a doubled account', { accounts: 2 }, 'has 2 accounts'],
    ['a doubled end', { events: ['SCHEDULED', 'PROCESSED', 'PROCESSED'] }, 'has 2 PROCESSED events'],
    ['events that the states forbid', { events: ['PROCESSED'] }, 'is PROCESSED after PROCESSED'],
    ['a second account by another process', { accountsOfNumber: 2 }, 'has 2 accounts of its number'],
    ['other numbers', { isSame: false }, 'has an account with other numbers'],
    ['an account without a customer', { customers: 0 }, 'has an account without a customer'],
    ['a missing payload', { hasPayload: false }, 'has no payload'],
    [
      'a stored number that was not shown',
      { accountNumber: 'A-3' },
      'was shown with the number A-1, and has A-3',
    ],
    [
      'a lost transaction',
      { transactions: { 'T-2': 1 } },
      'transactions T-1 was confirmed, and is not stored',
    ],
    [
      'a doubled transaction that was never confirmed',
      { transactions: { 'T-1': 1, 'T-2': 2 } },
      'transactions T-2 is stored 2 times',
    ],
    ['a foreign note', { notes: { 'Note 1': 1, 'Note 9': 1 } }, 'note Note 9 is stored, and was not sent'],
    ['a doubled note', { notes: { 'Note 1': 2 } }, 'note Note 1 is stored 2 times'],
    ['a wrong balance', { balance: -10 }, 'has the balance -10, and entries of -20'],
    [
      'a start before the window',
      { window: { opensAt: 9, startedAt: 5 } },
      'was started 4 ms before its window opened',
    ],
  ])('finds %s', (_title, stored, expected) => {
    expect(check({ stored })).toContain(`N-1: ${expected}`);
  });

  it('finds a lost account, and one that no client sent', () => {
    expect(checkHistory(CALLS, [], [VIEW])).toContain('N-1: was accepted, and is not stored');
    expect(check({ stored: { account: 'N-7' } })).toContain('N-7: is stored, and was not sent');
  });

  it.each<[string, Partial<FinalViews>, string]>([
    ['without the account', { imported: new Map() }, 'does not show it as imported'],
    ['with another number', { imported: new Map([['N-1', 'A-9']]) }, 'shows the number A-9'],
    ['that repeats the account', { repeated: ['N-1'] }, 'shows it more than once'],
  ])('finds a view %s', (_title, view, expected) => {
    expect(check({ view })).toContain(`N-1: v2 at api-1 ${expected}`);
  });
});
