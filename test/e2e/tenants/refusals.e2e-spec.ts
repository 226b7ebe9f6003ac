import { randomUUID } from 'node:crypto';
import { anyBackend, SharedPortage, tomorrow } from '@portage/testing';

const ACCOUNTS = '/v2/data-import/accounts/';
const SUBMISSIONS = '/v2/data-import/submissions/';

interface FieldError {
  attr: string;
  code: string;
  detail: string;
}

/** What a refusal says about the way to go on. */
describe('a refusal', () => {
  const portage = SharedPortage.use(anyBackend());

  const errorsOf = async (more: object): Promise<FieldError[]> => {
    const { body } = await portage.post(`${ACCOUNTS}validate/`, portage.account(undefined, more));
    return (body.errors ?? []) as FieldError[];
  };
  const openId = async (more: object = {}): Promise<string> => portage.openSubmission(randomUUID(), more);

  it('the refusal of an opening balance names last_statement_balance with the value that mends it', async () => {
    expect(await errorsOf({ transfer_balance: '-841.94' })).toEqual([
      {
        attr: 'transfer_balance',
        code: 'balance_mismatch_on_transfer_balance',
        detail:
          'Expected 0.00: last_statement_balance (not sent) without transactions. Found -841.94. Send the opening balance -841.94 as last_statement_balance.',
      },
    ]);
    expect(await errorsOf({ transfer_balance: '-841.94', last_statement_balance: '-841.94' })).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['a number', 12345678901234567890],
    ['text', '12345678901234567890'],
  ])('the refusal of an amount of 20 digits says that it is too long: %s', async (_form, amount) => {
    const [error] = await errorsOf({ transfer_balance: amount });
    expect(error?.attr).toBe('transfer_balance');
    expect(error?.detail).toMatch(
      /^The number is too long: enter at most 10 digits before the point and 2 after it\./,
    );
  });

  it.each<[string, unknown]>([
    ['a number', 12345678901234567890],
    ['text', '12345678901234567890'],
  ])('the refusal of an expected total of 20 digits says how long it may be: %s', async (_form, total) => {
    const { body } = await portage.post(SUBMISSIONS, {
      import_supplier: portage.supplier,
      reference: randomUUID(),
      expected: { opening_balance: total },
    });
    expect((body.errors as FieldError[]).map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/at most 17 digits/),
    ]);
  });

  describe('the refusal of an account that was received already', () => {
    const received = async (number: string, more: object = {}): Promise<string> => {
      const id = await openId(more);
      const { body } = await portage.upload(id, [portage.account(number)]);
      expect(body.accepted).toBe(1);
      return id;
    };
    const refusalOf = async (id: string): Promise<FieldError> =>
      (await portage.results(id, '?outcome=refused'))[0].errors[0] as FieldError;
    const corrected = (number: string) => [
      portage.account(number, { customers: [{ family_name: 'Corrected' }] }),
    ];

    it('says to cancel it first, and the line is accepted then', async () => {
      const number = `R-${randomUUID()}`;
      const first = await received(number, { task_params: tomorrow() });
      const id = await openId();
      expect((await portage.upload(id, corrected(number))).body.refused).toBe(1);
      const error = await refusalOf(id);
      expect(error).toEqual({
        code: 'account_already_received',
        attr: 'external_account_number',
        detail: `This account was sent in submission ${first} with other content before, and is queued. Once it is imported, this line is refused for good. To import this line instead, cancel the account while it is PENDING (POST /v2/data-import/accounts/{supplier}/{external_identifier}/cancel/), and send the line again.`,
      });
      const cancelled = await portage.send('POST', `${ACCOUNTS}${portage.supplier}/${number}/cancel/`);
      expect(cancelled.body.status).toBe('CANCELLED');
      expect((await portage.upload(id, corrected(number))).body).toMatchObject({ accepted: 1, refused: 0 });
    });

    it('says that nothing is to be done about the same content in another submission', async () => {
      const number = `R-${randomUUID()}`;
      const first = await received(number, { task_params: tomorrow() });
      const id = await openId();
      await portage.upload(id, [portage.account(number)]);
      const error = await refusalOf(id);
      expect([error.code, error.detail]).toEqual([
        'account_already_received',
        `This account was sent in submission ${first} with the same content before, and is queued. Its outcome is shown there. Nothing is to be done.`,
      ]);
    });

    it('says to wait for the end of a dry run, and the line is accepted then', async () => {
      const number = `R-${randomUUID()}`;
      const first = await received(number, { task_params: { ...tomorrow(), is_dry_run: true } });
      const id = await openId();
      await portage.upload(id, [portage.account(number)]);
      const error = await refusalOf(id);
      expect([error.code, error.detail]).toEqual([
        'account_already_received',
        `This account was sent in submission ${first} with the same content before, for a dry run, and is queued. Send the line again once the dry run has ended, or cancel it (POST /v2/data-import/accounts/{supplier}/{external_identifier}/cancel/).`,
      ]);
    });
  });

  describe('the refusal of an empty body', () => {
    const JSON_TYPE = { 'content-type': 'application/json' };

    it.each([
      ['with Content-Length', { 'content-length': '0' }],
      ['in chunks', { 'transfer-encoding': 'chunked' }],
    ])('is none where a request has no body, whatever the content type: %s', async (_how, headers) => {
      const id = await openId();
      const number = `E-${randomUUID()}`;
      await portage.schedule({
        payload: portage.account(number),
        task_params: tomorrow(),
      });
      const send = async (path: string) =>
        portage.send('POST', path, {
          body: '',
          headers: { ...JSON_TYPE, 'content-length': undefined, ...headers },
        });
      expect((await send(`${SUBMISSIONS}${id}/complete/`)).status).toBe(200);
      expect((await send(`${ACCOUNTS}${portage.supplier}/${number}/cancel/`)).status).toBe(200);
      expect((await send(`${SUBMISSIONS}${id}/abort/`)).status).toBe(200);
    });

    it.each([
      ACCOUNTS,
      SUBMISSIONS,
      '/v1/data-import/notes/create/',
      '/v1/data-import/account-import-process/process/',
    ])('stays one where a request has a body: %s', async (path) => {
      for (const headers of [
        { 'content-length': '0' },
        { 'transfer-encoding': 'chunked', 'content-length': undefined },
      ]) {
        const { status, body } = await portage.send('POST', path, {
          body: '',
          headers: { ...JSON_TYPE, ...headers },
        });
        expect([status, body.code, body.detail]).toEqual([
          400,
          'parse_error',
          'The body is empty. Send a JSON object.',
        ]);
      }
    });
  });
});
