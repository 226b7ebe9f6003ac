import { randomUUID } from 'node:crypto';
import { type Answer, anyBackend, sendBook, SharedPortage } from '@portage/testing';

const VALIDATE = '/v2/data-import/accounts/validate/';

interface Warning {
  code: string;
  detail: string;
  attr: string;
}

interface Result {
  external_account_number: string;
  outcome: string;
  warnings: Warning[];
}

/** An account with a date of birth and a gross amount that are allowed, but implausible. */
const IMPLAUSIBLE = {
  customers: [{ family_name: 'Aldous', date_of_birth: '1861-04-09' }],
  statements: [
    {
      statement_id: 'S1',
      bill_period_from_date: '2024-05-01',
      bill_period_to_date: '2024-05-31',
      gross_amount: 112.61,
    },
  ],
};

const PAIRS = [
  'customers.0.date_of_birth date_of_birth_before_1900',
  'statements.0.gross_amount gross_amount_with_decimals',
];

const pairsOf = (warnings: readonly Warning[]) => warnings.map(({ attr, code }) => `${attr} ${code}`).sort();

/** Supply of one electricity meter point. */
const suppliedBy = (identifier: string) => ({
  supply_addresses: [
    {
      supply_address1: '4 Weir Cottages',
      supply_postcode: 'NN99 9ZZ',
      customer_at_supply_address_from_date: '2021-03-01',
      meter_points: [
        { supply_type: 'ELECTRICITY', identifier, mpid: 'XSUP', supply_start_date: '2021-03-01' },
      ],
    },
  ],
});

describe('the warnings of an account', () => {
  const portage = SharedPortage.use(anyBackend());

  /** Sends accounts as a submission, waits for its end, and reads it with its results. */
  async function submit(
    accounts: readonly object[],
    taskParams: object = {},
  ): Promise<{ submission: Answer; results: Result[] }> {
    const id = await sendBook(portage, accounts, { reference: randomUUID(), taskParams });
    const submission = await portage.waitForSubmission(id);
    const results = (await portage.results(id)) as Result[];
    return { submission, results };
  }

  it('are in the answer of a validation that asks for them, and in no other', async () => {
    const account = portage.account('V-1', IMPLAUSIBLE);
    const [plain, asked, none] = [
      await portage.post(VALIDATE, account),
      await portage.post(`${VALIDATE}?warnings=true`, account),
      await portage.post(`${VALIDATE}?warnings=true`, portage.account('V-2')),
    ];
    expect([plain.status, plain.text]).toEqual([200, '{}']);
    expect(asked.status).toBe(200);
    expect(pairsOf(asked.body.warnings as Warning[])).toEqual(PAIRS);
    expect([none.status, none.body]).toEqual([200, { warnings: [] }]);
    const invalid = portage.account('V-3', { ...IMPLAUSIBLE, billing_email: 'x' });
    const [error, same] = [
      await portage.post(VALIDATE, invalid),
      await portage.post(`${VALIDATE}?warnings=true`, invalid),
    ];
    expect([same.status, same.body]).toEqual([400, error.body]);
  });

  it('are in the results of a rehearsal and of an import, and counted', async () => {
    const book = [portage.account('R-1', IMPLAUSIBLE), portage.account('R-2')];
    for (const [taskParams, outcome] of [
      [{ is_dry_run: true }, 'dry_run_succeeded'],
      [{}, 'processed'],
    ] as const) {
      const { submission, results } = await submit(book, taskParams);
      expect(results.map((result) => [result.external_account_number, result.outcome])).toEqual([
        ['R-1', outcome],
        ['R-2', outcome],
      ]);
      expect(pairsOf(results[0]!.warnings)).toEqual(PAIRS);
      expect(results[1]!.warnings).toEqual([]);
      expect(submission.body.accounts_with_warnings).toBe(1);
      // The suites share an operator without lists.
      expect(submission.body.unchecked_lists).toContain('products');
    }
    const plain = await portage.sql<{ warnings: unknown }>(
      `SELECT warnings FROM import_process WHERE external_account_number = 'R-2'`,
    );
    expect(plain).toEqual([{ warnings: null }]);
  });

  it('name the imported account that has the supply point', async () => {
    const pairs = (warnings: readonly Warning[]) =>
      warnings.map(({ code, detail }) => [code, detail.split('"')[3]]);
    const expected = [['supply_point_of_another_account', 'P-1']];
    const first = await submit([portage.account('P-1', suppliedBy('1000000000110'))]);
    expect(first.results[0]!.warnings).toEqual([]);
    const second = portage.account('P-2', suppliedBy('1000000000110'));
    const validated = await portage.post(`${VALIDATE}?warnings=true`, second);
    expect(pairs(validated.body.warnings as Warning[])).toEqual(expected);
    for (const taskParams of [{ is_dry_run: true }, {}]) {
      const { results } = await submit([second], taskParams);
      expect(pairs(results[0]!.warnings)).toEqual(expected);
    }
  });

  it('name the imported account that has the mandate', async () => {
    const instruction = {
      instruction_identifier: 'mandate-1',
      type: 'DIRECT_DEBIT',
      vendor: 'VENDOR_A',
      reference: `MD-${randomUUID()}`,
      ledger_code: 'MAIN',
      valid_from: '2021-03-05',
    };
    const paidBy = (number: string) =>
      portage.account(number, {
        ledgers: [{ ledger_code: 'MAIN' }],
        payment_instructions: [instruction],
      });
    const codes = ({ warnings }: Result) =>
      warnings.map(({ code, attr, detail }) => [code, attr, detail.includes('"M-1"')]);
    const first = await submit([paidBy('M-1')]);
    expect(first.results).toMatchObject([{ outcome: 'processed', errors: [], warnings: [] }]);
    for (const taskParams of [{ is_dry_run: true }, {}]) {
      const { results } = await submit([paidBy('M-2')], taskParams);
      expect(codes(results[0]!)).toEqual([
        ['mandate_of_another_account', 'payment_instructions.0.reference', true],
      ]);
    }
  });
});
