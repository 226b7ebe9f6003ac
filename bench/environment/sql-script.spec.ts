import { pgbenchText, toPositional, parseReport } from './sql-script';

const script = {
  randomIntegers: { account: [3, 9] as const },
  statements: [
    { text: 'SELECT :account::bigint AS given', setsVariables: true as const },
    { text: 'SELECT :given, :account, :given::text' },
  ],
};

describe('a script of statements', () => {
  it('is converted to a pgbench script', () => {
    expect(pgbenchText(script)).toBe(
      [
        '\\set account random(3, 9)',
        'SELECT :account::bigint AS given \\gset',
        'SELECT :given, :account, :given::text;',
        '',
      ].join('\n'),
    );
  });

  it('is converted to numbered parameters for pg, without changing casts', () => {
    expect(toPositional('SELECT :given, :account, :given::text')).toEqual({
      text: 'SELECT $1, $2, $1::text',
      names: ['given', 'account'],
    });
  });

  it('has the count and rate from the report of pgbench', () => {
    const report = `
number of transactions actually processed: 1234
number of failed transactions: 0 (0.000%)
latency average = 6.5 ms
tps = 2461.730000 (without initial connection time)
`;
    expect(parseReport(report)).toEqual({ count: 1234, perSecond: 2461.73 });
    expect(() => parseReport('pgbench: error: connection failed')).toThrow('pgbench ran no transactions');
  });
});
