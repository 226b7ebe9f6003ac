import { MappingFolder } from '../../test/mapping-folder';

const HEAD = `
source:
  accounts: { file: accounts.csv, delimiter: ';', key: NO }
  rows: { file: rows.csv, delimiter: ';', key: NO }
account:
  import_supplier: { value: DEMO }
  external_account_number: NO
`;

describe('A mapping', () => {
  let folder: MappingFolder;
  beforeEach(() => {
    folder = new MappingFolder();
    folder.write('accounts.csv', 'NO;A;B\n1;;\n');
    folder.write('rows.csv', 'NO;X;Y\n');
  });

  const unused = (accounts: string, rows = 'X, Y') =>
    `unused: { accounts: [${accounts}], rows: [${rows}] }\n`;

  /** The fields besides the number that a row of accounts becomes. */
  async function fieldsOf(cells: string, fields: string, notUsed: string): Promise<unknown> {
    folder.write('accounts.csv', `NO;A;B\n1;${cells}\n`);
    const { book, errors } = await folder.map(`${HEAD}${fields}\n${unused(notUsed)}`);
    if (errors.length > 0) return errors;
    const { import_supplier, external_account_number, ...others } = book[0] as Record<string, unknown>;
    expect([import_supplier, external_account_number]).toEqual(['DEMO', '1']);
    return others;
  }

  it.each([
    [' x ;', '  billing_name: A', 'B', { billing_name: 'x' }],
    ['=1+1;', '  billing_name: A', 'B', { billing_name: '=1+1' }],
    [';', '  billing_name: A', 'B', {}],
    [';', '  billing_name: { column: A, default: none }', 'B', { billing_name: 'none' }],
    ['x;y', "  billing_name: { columns: [A, B], join: ' ' }", '', { billing_name: 'x y' }],
    [';y', "  billing_name: { columns: [A, B], join: ' ' }", '', { billing_name: 'y' }],
    ['01;', '  billing_name: { column: A, values: { 01: one, 1: two } }', 'B', { billing_name: 'one' }],
    ['Y;', '  is_managed: { column: A, values: { Y: true, N: false } }', 'B', { is_managed: true }],
    ['7;', '  smart_read_cycle_day: A', 'B', { smart_read_cycle_day: 7 }],
    ['05/07/2023;', '  date_of_sale: { column: A, date: dd/MM/yyyy }', 'B', { date_of_sale: '2023-07-05' }],
    ['x;', '  billing_name: { value: 007 }', 'A, B', { billing_name: '007' }],
    [
      'x;',
      '  customers: [{ family_name: A }, { family_name: B, role: { value: R } }]',
      '',
      { customers: [{ family_name: 'x' }] },
    ],
    [';', '  business: { company_name: A, business_type: { value: X } }', 'B', {}],
  ])('maps %s by %s', async (cells, fields, notUsed, expected) => {
    expect(await fieldsOf(cells, fields, notUsed)).toEqual(expected);
  });

  it.each([
    [
      'x;',
      '  date_of_sale: { column: A, date: dd/MM/yyyy }',
      'accounts.csv row 2, A "x": unreadable_cell at date_of_sale. Expected a day as dd/MM/yyyy.',
    ],
    [
      'x;',
      '  billing_name: { column: A, values: { Y: yes } }',
      'accounts.csv row 2, A "x": unreadable_cell at billing_name. Expected one of Y.',
    ],
    [
      'x;',
      '  billing_email: A',
      'accounts.csv row 2, A "x": invalid at billing_email. Enter an e-mail address',
    ],
  ])('reports a cell that cannot be read or is not valid: %s by %s', async (cells, fields, expected) => {
    expect(await fieldsOf(cells, fields, 'B')).toEqual([expect.stringContaining(expected)]);
  });

  it('makes items of the rows with the same key, one for each distinct value', async () => {
    folder.write('accounts.csv', 'NO;A;B\n1;;\n2;;\n');
    folder.write('rows.csv', 'NO;X;Y\n1;p;a\n2;q;b\n1;r;c\n1;p;d\n3;s;e\n');
    const fields = `  references:
    each: rows
    by: X
    namespace: X
    value: X
  metadata: { each: rows, key: Y, value: X }
`;
    const { book, orphans, errors } = await folder.map(`${HEAD}${fields}${unused('A, B', '')}`);
    expect(book).toMatchObject([
      { references: [{ value: 'p' }, { value: 'r' }], metadata: [{ key: 'a' }, { key: 'c' }, { key: 'd' }] },
      { references: [{ value: 'q' }], metadata: [{ key: 'b' }] },
    ]);
    expect([...orphans]).toEqual([['rows.csv', { count: 1, firstRows: [6] }]]);
    expect(errors).toEqual(['1 × rows.csv row 6, NO "3": no_account. No account has a row with this key.']);
  });

  it('refuses an item whose rows differ in a cell of it', async () => {
    folder.write('rows.csv', 'NO;X;Y\n1;p;a\n1;p;b\n');
    const fields = '  references: { each: rows, by: X, namespace: X, value: Y }\n';
    const { rejected, errors } = await folder.map(`${HEAD}${fields}${unused('A, B', '')}`);
    expect([rejected, errors]).toEqual([
      1,
      ['1 × rows.csv row 3, Y "b": different_cells. Row 2 has "a", and both make one item.'],
    ]);
  });

  it('refuses keys that are empty or repeated', async () => {
    folder.write('accounts.csv', 'NO;A;B\n1;;\n;;\n1;;\n');
    const { accounts, rejected, errors } = await folder.map(`${HEAD}${unused('A, B')}`);
    expect([accounts, rejected]).toEqual([1, 2]);
    expect(errors).toEqual([
      '1 × accounts.csv row 3, NO "": empty_key. Every row needs its key.',
      '1 × accounts.csv row 4, NO "1": repeated_key. Row 2 has the same key.',
    ]);
  });

  it('can be checked on the first rows', async () => {
    folder.write('accounts.csv', 'NO;A;B\n1;;\n2;;\n');
    expect(await folder.map(`${HEAD}${unused('A, B')}`, { rows: 1 })).toMatchObject({
      accounts: 1,
      isComplete: false,
    });
    expect(await folder.map(`${HEAD}${unused('A, B')}`, { rows: 2 })).toMatchObject({
      accounts: 2,
      isComplete: true,
    });
  });

  it('needs accounts', async () => {
    folder.write('accounts.csv', 'NO;A;B\n');
    await expect(folder.map(`${HEAD}${unused('A, B')}`)).rejects.toThrow(
      'accounts.csv has a header and no rows.',
    );
  });

  it('sums and counts its sources exactly', async () => {
    folder.write('accounts.csv', 'NO;A;B\n1;0,10;x\n2;-1.234,5;\n3;;y\n4;z;\n');
    folder.write('rows.csv', 'NO;X;Y\n1;7;\n2;8;q\n');
    const totals = `totals:
  opening_balance: { sum: A, decimal: ',', thousands: '.', negate: true }
  statement_total: { sum: X, source: rows, decimal: '.' }
  accounts: { count: accounts, column: B }
  readings: { count: rows }
`;
    const { mapper, errors } = await folder.map(`${HEAD}${totals}${unused('', 'Y')}`);
    expect(mapper.totals.toExpected()).toEqual({
      opening_balance: '1234.4',
      statement_total: 15,
      accounts: 2,
      readings: 2,
    });
    expect(mapper.totals.describe()[0]).toBe(
      'Control total opening_balance: 1234.4, without 1 cells that cannot be read',
    );
    expect(errors).toContain(
      '1 × accounts.csv row 5, A "z": unreadable_cell at totals.opening_balance. Expected a number as 1.234,56.',
    );
  });

  it.each([
    [
      "{ payments: { sum: A, decimal: '.' } }",
      '0.5',
      'totals.payments: the total 0.5 is not a whole number.',
    ],
    [
      "{ payment_total: { sum: A, decimal: '.' } }",
      '0.001',
      'totals.payment_total: the total 0.001 has more',
    ],
  ])('refuses a total that its measure cannot be: %s of %s', async (totals, cell, message) => {
    folder.write('accounts.csv', `NO;A;B\n1;${cell};\n`);
    const { mapper } = await folder.map(`${HEAD}totals: ${totals}\n${unused('B')}`);
    expect(() => mapper.totals.toExpected()).toThrow(message);
  });

  it('makes additions of the rows that have any, one line for each kind', async () => {
    folder.write('accounts.csv', 'NO;A;B\n1;hello;\n2;;\n3;;\n');
    folder.write('rows.csv', 'NO;X;Y\n1;T1;5.00\n3;T2;7\n');
    const additions = `additions:
  - notes: { import_supplier: { value: DEMO }, external_account_number: NO, notes: [{ body: A }] }
  - transactions:
      import_supplier: { value: DEMO }
      external_account_number: NO
      transactions:
        each: rows
        transaction_id: X
        transaction_date: { value: 2020-01-31 }
        type: { value: PAYMENT }
        amount: Y
    check_previously_added: { value: false }
`;
    const options = { kind: 'additions' } as const;
    const { book, lines, accounts, errors } = await folder.map(
      `${HEAD}${additions}${unused('B', '')}`,
      options,
    );
    expect(errors).toEqual([]);
    expect([accounts, lines]).toEqual([3, 3]);
    const of = (number: string) => ({ import_supplier: 'DEMO', external_account_number: number });
    const payment = { transaction_date: '2020-01-31', type: 'PAYMENT' };
    expect(book).toEqual([
      { notes: { ...of('1'), notes: [{ body: 'hello' }] } },
      {
        transactions: { ...of('1'), transactions: [{ transaction_id: 'T1', ...payment, amount: '5.00' }] },
        check_previously_added: false,
      },
      {
        transactions: { ...of('3'), transactions: [{ transaction_id: 'T2', ...payment, amount: '7' }] },
        check_previously_added: false,
      },
    ]);
    const accountsOnly = await folder.map(`${HEAD}${additions}${unused('B', '')}`);
    // The rows of the additions are not rows without an account.
    expect([accountsOnly.lines, accountsOnly.orphans.size]).toEqual([3, 0]);
    folder.write('rows.csv', 'NO;X;Y\n1;T1;much\n');
    const wrong = await folder.map(`${HEAD}${additions}${unused('B', '')}`, options);
    expect(wrong.errors).toEqual([
      expect.stringMatching(/^1 × rows\.csv row 2, Y "much": .* at transactions\.transactions\.0\.amount\./),
    ]);
  });

  it.each([
    ['{}', 'additions: Give a list: each item is a line of the book, with one kind of addition.'],
    ['[{}]', 'additions.0: Give exactly one of notes, transactions,'],
    [
      '[{ notes: { nots: A } }]',
      'additions.0.notes.nots: The contract has no such field here. Did you mean notes?',
    ],
    [
      '[{ notes: { notes: [{ body: A }] }, check_previously_added: { value: true } }]',
      'additions.0.check_previously_added: It is a parameter of transactions.',
    ],
  ])('says where its additions are wrong: %s', async (additions, message) => {
    const yaml = `${HEAD}additions: ${additions}\n`;
    await expect(folder.map(yaml, { kind: 'additions' })).rejects.toThrow(message);
  });

  it('has to have the book that is asked for', async () => {
    await expect(folder.map(`${HEAD}${unused('A, B')}`, { kind: 'additions' })).rejects.toThrow(
      'It has no additions',
    );
  });

  it.each([
    [
      '  biling_name: A',
      'account.biling_name: The contract has no such field here. Did you mean billing_name?',
    ],
    [
      '  customers: [{ famly_name: A }]',
      'account.customers.0.famly_name: The contract has no such field here. Did you mean family_name?',
    ],
    ['  billing_name: C', 'account.billing_name: accounts.csv has no column C. Its columns are NO, A, B.'],
    ['  billing_name: { column: A, dat: x }', 'account.billing_name.dat: Allowed here: column, default.'],
    ['  billing_name: { column: A, date: x }', 'account.billing_name.date: Give a form'],
    ['  billing_name: [A]', 'account.billing_name: Give a column, or an object'],
    ['  billing_name: {}', 'account.billing_name: Give a column, or an object'],
    ['  customers: A', 'account.customers: Give a list, or an object with each'],
    ['  customers: []', 'account.customers: Give at least one item.'],
    ['  business: A', 'account.business: Give an object with the fields'],
    [
      '  metadata: { each: other, key: A }',
      'account.metadata.each: There is no source other. The sources are accounts, rows.',
    ],
    ['  metadata: { each: accounts, key: A }', 'account.metadata.each: Give another source'],
    ['  metadata: { each: rows, by: A, key: X }', 'account.metadata.by: rows.csv has no column A.'],
    [
      '  billing_name: A',
      'unused: These columns are neither mapped nor named here: B (accounts.csv), X (rows.csv), Y (rows.csv).',
    ],
    ['  billing_name: A\nunused: [A, B, X, Y]', 'unused.0: The column A is mapped: leave it out.'],
    ['  billing_name: A\nunused: [B, C]', 'unused.1: No source has a column C.'],
    [
      '  billing_name: A\nunused: { accounts: [A] }',
      'unused.accounts.0: The column A is mapped: leave it out.',
    ],
    ['  billing_name: A\nsupplier: { profile: x }', 'supplier.profile: Allowed here: core, gb-energy.'],
    ['  billing_name: A\nsupplier: { time_zone: x }', 'supplier.time_zone: Give a time zone'],
    ['  billing_name: A\n  billing_name: B', 'mapping.yaml, line 9: duplicated mapping key'],
    ['totals: { x: {} }', 'totals.x: Allowed here: accounts, customers'],
    ['totals: { debts: { count: x } }', 'totals.debts.count: There is no source x.'],
    ['totals: { opening_debits: { count: rows } }', 'totals.opening_debits: It is an amount'],
    ['total: {}', 'total: Allowed here: source, supplier, account, additions, totals, unused.'],
  ])('says where its mistake is: %s', async (rest, message) => {
    await expect(folder.map(`${HEAD}${rest}\n`)).rejects.toThrow(message);
  });
});
