import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SchemaContext, validateAccount } from '@portage/account-schema';
import { newAccount } from '@portage/accounts';
import { formatMoney, parseMoney } from '@portage/platform';
import { measurePayload } from './measure-account';

const NOW = new Date('2026-11-22T12:00:00Z');

const context: SchemaContext = {
  profile: 'core',
  region: 'GB',
  timeZone: 'Europe/London',
  rejectUndocumentedFields: false,
  now: NOW,
  limits: { arrayItems: 10_000, nesting: 64, errors: 100 },
};

const supplier: Parameters<typeof newAccount>[2] = {
  id: 1,
  code: 'DEMO',
  timeZone: 'Europe/London',
  sendMigrationEmails: false,
  organisationId: 1,
};

/** The account of a line of the sample book; undefined for a faulty line. */
function payloadOf(line: string): object | undefined {
  try {
    const value = JSON.parse(line) as { payload?: object };
    return value.payload ?? value;
  } catch {
    return undefined;
  }
}

/** The measures of the rows that the import of an account creates. */
function measureRows(account: Parameters<typeof newAccount>[0]): object {
  const { rows } = newAccount(account, 'A-1', supplier, NOW);
  const balances = rows.ledger.map(({ balance }) => parseMoney(balance, 12)!);
  const meters = rows.supply_point.flatMap((point) => point.meters) as {
    transfer_readings?: object[];
    reading_history?: object[];
  }[];
  return {
    accounts: 1,
    customers: rows.customer.length,
    supply_points: rows.supply_point.length,
    statements: rows.historical_statement.length,
    transactions: rows.transaction.length,
    opening_balance: formatMoney(balances.reduce((sum, balance) => sum + balance, 0n)),
    opening_debits: formatMoney(balances.reduce((sum, balance) => sum + (balance < 0n ? balance : 0n), 0n)),
    opening_credits: formatMoney(balances.reduce((sum, balance) => sum + (balance > 0n ? balance : 0n), 0n)),
    payment_instructions: rows.payment_instruction.length,
    debts: rows.debt.length,
    readings: meters.reduce(
      (count, { transfer_readings: transfer = [], reading_history: history = [] }) =>
        count + transfer.length + history.length,
      0,
    ),
    statement_total: rows.historical_statement.reduce(
      (sum, { grossAmount }) => sum + Number(grossAmount ?? 0),
      0,
    ),
    documents: rows.document.length,
  };
}

describe('the measures of an account', () => {
  it('equal the rows that its import creates, for every valid account of the sample book', () => {
    const book = readFileSync(join(__dirname, '../../../../examples/book.ndjson'), 'utf8');
    let valid = 0;
    for (const line of book.split('\n').filter(Boolean)) {
      const payload = payloadOf(line);
      if (!payload) continue;
      const result = validateAccount(payload, context);
      if (!result.ok) continue;
      valid += 1;
      const expected = measureRows(result.value);
      expect(measurePayload(result.value)).toEqual(expected);
      expect(measurePayload(payload)).toEqual(expected);
    }
    expect(valid).toBeGreaterThan(150);
  });

  it('are exact for accounts without a ledger balance, and ignore money that went to a prepayment meter', () => {
    const transactions = [
      { type: 'PAYMENT', amount: '0.10', transaction_date: '2026-11-01', transaction_id: '1' },
      { type: 'CHARGE', amount: 0.2, transaction_date: '2026-11-01', transaction_id: '2' },
      { type: 'PAYMENT', amount: '5', to_prepay_meter_serial_number: 'M' },
      { type: 'PAYMENT', amount: 'x' },
      { type: 'OTHER', amount: '1' },
    ];
    expect(
      measurePayload({ last_statement_balance: '10.00', current_statement_transactions: transactions }),
    ).toMatchObject({ transactions: 5, opening_balance: '9.90' });
    const ledgers = [
      { ledger_balance: '999999999999.99' },
      { last_statement_balance: -1, current_statement_transactions: transactions },
    ];
    expect(measurePayload({ ledgers, debt: {}, debts: [{}, {}] })).toMatchObject({
      transactions: 5,
      opening_balance: '999999999998.89',
      debts: 3,
    });
  });

  it('have the balance of an account without ledgers, and none that is too large to be stored', () => {
    expect(measurePayload({ transfer_balance: ' 3.50 ' })).toMatchObject({ opening_balance: '3.50' });
    const ledgers = Array.from({ length: 2 }, () => ({ ledger_balance: '99999999999999999.00' }));
    expect(measurePayload({ ledgers: ledgers.slice(1) }).opening_balance).toBe('99999999999999999.00');
    expect(measurePayload({ ledgers }).opening_balance).toBe('0.00');
  });

  it('have the debits and the credits of several ledgers apart', () => {
    const ledgers = [{ ledger_balance: '-10.50' }, { ledger_balance: 4 }, { ledger_balance: '-0.01' }];
    expect(measurePayload({ ledgers })).toMatchObject({
      opening_balance: '-6.51',
      opening_debits: '-10.51',
      opening_credits: '4.00',
    });
  });

  it('have statements in whole minor units, and decimals rounded', () => {
    const total = (...amounts: unknown[]) =>
      measurePayload({ statements: amounts.map((gross_amount) => ({ gross_amount })) }).statement_total;
    expect(total(11261, '12904', -500)).toBe(23665);
    expect(total(112.5, ' 112.49 ')).toBe(113 + 112);
    expect(total('-0.5', 1)).toBe(0);
    expect(total(null, 'x', '1e3', undefined, [5], '1234567890123456')).toBe(0);
  });

  it('count each document once for statements and once for notes', () => {
    const statements = ['/a.pdf', 'a.pdf', ' b.pdf', 'b.pdf', ' ', null].map((statement_path) => ({
      statement_path,
    }));
    const notes = [{ document_paths: [{ document_path: 'a.pdf' }, { document_path: 'a.pdf' }, {}] }, {}];
    expect(measurePayload({ statements, notes }).documents).toBe(3);
  });

  it.each([
    [null],
    [1],
    ['text'],
    [[]],
    [{ customers: {}, ledgers: [1, { ledger_balance: 'x' }], debt: [] }],
  ])('are zero where nothing can be read: %j', (payload) => {
    expect(measurePayload(payload)).toEqual({
      accounts: 1,
      customers: 0,
      supply_points: 0,
      statements: 0,
      transactions: 0,
      opening_balance: '0.00',
      payment_instructions: 0,
      debts: 0,
      readings: 0,
      statement_total: 0,
      opening_debits: '0.00',
      opening_credits: '0.00',
      documents: 0,
    });
  });
});
