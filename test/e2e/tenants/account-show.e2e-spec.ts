import { SharedPortage } from '@portage/testing';

const portage = SharedPortage.use('postgres');
let number: string;
let payload: Record<string, unknown>;

beforeAll(async () => {
  // An erasure leaves documents in a folder that suppliers share.
  await portage.operator('supplier', 'set', portage.supplier, '--document-root', portage.supplier);
  payload = portage.example('01-domestic-dual-fuel');
  expect((await portage.schedule(payload)).status).toBe(201);
  await portage.waitFor('PROCESSED', 1);
  number = (await portage.status('A-100231')).body.platform_identifier as string;
});

describe('account show', () => {
  it('prints all stored data with the field names of the contract', async () => {
    const output = await portage.operator('account', 'show', number);
    expect(output).toMatchObject({
      platform_account_number: number,
      ...portage.about('A-100231'),
      account_type: 'DOMESTIC',
      billing_name: 'Mrs M and Mr T Aldous',
      references: [{ namespace: 'old-web-portal-id', value: 'W-88-1021' }],
      welcome_email: null,
    });
    expect(output.customers).toHaveLength(2);
    expect(output.supply_points).toMatchObject([
      { supply_type: 'ELECTRICITY', agreements: [{ tariff_code: 'E-FIX-21' }, { tariff_code: 'E-VAR' }] },
      { supply_type: 'GAS', meters: [{ meter_serial_number: 'E6S0099187' }] },
    ]);
    expect(output.ledgers).toMatchObject([
      {
        ledger_code: 'MAIN',
        balance: '75.50',
        statement_periods: [
          { is_open: false, end_date: '2024-05-31', closing_balance: '17.39' },
          { is_open: true, start_date: '2024-06-01' },
        ],
      },
      { ledger_code: 'SERVICES', balance: '-14.00' },
    ]);
    const [history, open] = output.ledgers[0].statement_periods;
    expect(history.transactions).toHaveLength(3);
    expect(open.transactions).toHaveLength(4);
    expect(output.documents).toMatchObject([{ path: 'A-100231/2024-05.pdf', kind: 'statement' }]);
  });

  it('prints the original payload', async () => {
    expect(await portage.operator('account', 'show', number, '--payload')).toEqual(payload);
  });

  it('prints the API key that posted an addition', async () => {
    const notes = [{ body: 'Rang about the meter.' }];
    expect(
      (await portage.post('/v1/data-import/notes/create/', { ...portage.about('A-100231'), notes })).status,
    ).toBe(201);
    const output = await portage.operator('account', 'show', number);
    const posted = (output.notes as { body: string; posted_by: string | null }[]).find(
      ({ body }) => body === 'Rang about the meter.',
    );
    const [key] = (await portage.operator('api-key', 'list')).filter(
      (one: { organisation: string }) => one.organisation === portage.organisation,
    );
    expect(posted!.posted_by).toBe(`api-key:${key.prefix}`);
  });

  it('draws tables for people', async () => {
    const { status, stdout } = await portage.cli('account', 'show', number);
    expect(status).toBe(0);
    for (const text of ['statement_periods', 'HB-0004', 'Aldous', '75.50', 'E6S0099187'])
      expect(stdout).toContain(text);
  });

  it('shows the newest of 90,000 notes, says how many there are, and pages', async () => {
    await portage.importAccount('A-notes');
    const { platform_identifier } = (await portage.status('A-notes')).body as Record<string, string>;
    await portage.sql(
      `INSERT INTO note (account_id, body, is_pinned, is_archived, document_paths, actor)
       SELECT account.id, 'note ' || position, false, false, '{}', 'api-key:test'
       FROM account, generate_series(1, 90000) AS position WHERE account.number = $1`,
      [platform_identifier],
    );
    const bodies = async (...args: string[]) =>
      (
        (await portage.operator('account', 'show', platform_identifier!, ...args)) as {
          notes: { body: string }[];
        }
      ).notes.map(({ body }) => body);
    const shown = await portage.operator('account', 'show', platform_identifier!);
    expect(shown).toMatchObject({ page: 1, totals: { notes: 90_000, documents: 0 } });
    const expected = (from: number) => Array.from({ length: 500 }, (_, n) => `note ${from + n}`);
    expect(await bodies()).toEqual(expected(89_501));
    expect(await bodies('--page', '180')).toEqual(expected(1));
    expect(await bodies('--page', '181')).toEqual([]);
    const { status, stdout } = await portage.cli('account', 'show', platform_identifier!, '--page', '2');
    expect(status).toBe(0);
    expect(stdout).toContain('note 89500');
    expect(stdout).not.toContain('note 89501');
    expect(stdout).toMatch(/totals\.notes +│ 90000 /);
    const { stderr } = await portage.cli('account', 'show', platform_identifier!, '--page', 'x');
    expect(stderr).toContain('--page must be a whole number of at least 1.');
  });

  it('an unknown account is answered with how to find account numbers', async () => {
    const { status, stdout, stderr } = await portage.cli('account', 'show', 'A-ffffffff', '--json');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^There is no account A-ffffffff\. .*process show/);
  });
});

it('account erase asks for confirmation at a terminal, and without one needs --yes', async () => {
  const { status, stdout, stderr } = await portage.cli('account', 'erase', number, '--json');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toEqual(expect.stringMatching(/There is no terminal to confirm at\. .*--yes\n$/));
  expect((await portage.operator('account', 'show', number)).customers).toHaveLength(2);
});
