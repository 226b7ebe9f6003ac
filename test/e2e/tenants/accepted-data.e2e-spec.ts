import { createHash } from 'node:crypto';
import { type Answer, SharedPortage } from '@portage/testing';

const VALIDATE = '/v2/data-import/accounts/validate/';
const TRANSACTIONS = '/v1/data-import/transactions/create/';
const STATEMENTS = '/v1/data-import/historical-statements/create/';

/** The digest of an account, as a supplier computes it. */
const digestOf = (account: object) =>
  `sha-256=:${createHash('sha256').update(JSON.stringify(account)).digest('base64')}:`;

const digestIn = ({ headers }: Answer) => headers['payload-digest'];

const payment = (id: string, more: object = {}) => ({
  transaction_id: id,
  transaction_date: '2026-11-02',
  type: 'PAYMENT',
  amount: 10,
  ...more,
});

const statement = (id: string, more: object = {}) => ({
  statement_id: id,
  bill_period_from_date: '2026-09-01',
  bill_period_to_date: '2026-09-30',
  gross_amount: 1250,
  ...more,
});

describe('data that suppliers send', () => {
  const portage = SharedPortage.use('postgres');

  beforeAll(async () => {
    for (const number of ['DONE', 'ERASED']) await portage.schedule(portage.account(number));
    await portage.waitFor('PROCESSED', 2);
  });

  const add = async (transactions: unknown[], more: object = {}) =>
    portage.post(TRANSACTIONS, { ...portage.about('DONE'), transactions, ...more });
  const addStatements = async (...statements: object[]) =>
    portage.post(STATEMENTS, { ...portage.about('DONE'), statements });
  const validate = async (body: object | string) => portage.post(VALIDATE, body);
  const errorsIn = ({ body }: Answer) =>
    ((body.errors ?? []) as { attr: string; code: string }[]).map(({ attr, code }) => [attr, code]);

  describe('has a digest:', () => {
    it('every answer to an accepted account, and its status, has the digest of the payload', async () => {
      const account = portage.account('digest');
      const digest = digestOf(account);
      const first = await portage.schedule(account);
      const wrapped = await portage.schedule({ payload: account });
      await portage.waitForAccount('digest', 'PROCESSED');
      const v1 = await portage.get(`/v1/data-import/account-transfer-status/${portage.supplier}/digest/`);
      const answers = [first, wrapped, await portage.status('digest'), v1];
      expect(first.status).toBe(201);
      expect(answers.map(digestIn)).toEqual([digest, digest, digest, digest]);
    });

    it('the answer for an imported account has the digest of the imported payload', async () => {
      const same = await portage.schedule(portage.account('DONE'));
      const different = await portage.schedule(portage.account('DONE', { billing_name: 'Another' }));
      for (const answer of [same, different]) {
        expect(answer.body.non_field_errors.code).toBe('account_import_process_already_imported');
        expect(digestIn(answer)).toBe(digestOf(portage.account('DONE')));
      }
    });

    it('the answer to a repeated Idempotency-Key has it, and a refused account has none', async () => {
      const account = portage.account('digest-key');
      const key = { 'idempotency-key': 'digest' };
      const answers = [1, 2].map(async () => portage.post('/v2/data-import/accounts/', account, key));
      for (const answer of await Promise.all(answers)) expect(digestIn(answer)).toBe(digestOf(account));
      const refused = await portage.schedule(portage.account('digest-no', { billing_email: 'x' }));
      expect([refused.status, digestIn(refused)]).toEqual([400, undefined]);
    });

    it('the status of an account whose payload was erased has none', async () => {
      const { body } = await portage.status('ERASED');
      await portage.operator('account', 'erase', body.platform_identifier, '--yes');
      const erased = await portage.status('ERASED');
      expect([erased.status, digestIn(erased)]).toEqual([200, undefined]);
    });
  });

  describe('is validated as it is scheduled:', () => {
    it('validate reports an account that is imported, and an identifier that is taken', async () => {
      expect(errorsIn(await validate(portage.account('DONE')))).toEqual([
        ['external_account_number', 'account_import_process_already_imported'],
      ]);
      const taken = portage.account('new', { external_identifier: ' DONE ' });
      expect(errorsIn(await validate(taken))).toEqual([
        ['external_identifier', 'external_identifier_already_exists'],
      ]);
      expect((await portage.schedule(taken)).body.code).toBe('external_identifier_already_exists');
    });

    it('validate reports all of them together with the errors of the account', async () => {
      const payload = portage.account('DONE', { billing_email: 'x' });
      expect(errorsIn(await validate({ payload, task_params: { is_dry_run: 1 } }))).toEqual([
        ['external_account_number', 'account_import_process_already_imported'],
        ['billing_email', 'invalid'],
        ['task_params.is_dry_run', 'invalid'],
      ]);
    });
  });

  describe('is answered with what was done:', () => {
    it('a dry run says so', async () => {
      const { status, body } = await add([payment('D-1')], { dry_run: true });
      expect([status, body.dry_run, body.results.length]).toEqual([201, true, 1]);
      expect((await add([payment('D-1')])).body).toEqual({ results: [expect.anything()] });
    });

    it('a statement that is sent again with other values names them', async () => {
      await addStatements(statement('S-1'));
      const changed = await addStatements(statement('S-1', { gross_amount: 1, number: 'N' }));
      expect(changed.body.errors).toMatchObject([
        {
          attr: 'statements.0.statement_id',
          detail: expect.stringContaining('other values of number, gross_amount'),
        },
      ]);
    });

    it('a replayed answer has the status of the first one', async () => {
      await addStatements(statement('S-3'));
      const post = async () =>
        portage.post(
          STATEMENTS,
          { ...portage.about('DONE'), statements: [statement('S-3')] },
          { 'idempotency-key': 'S-3' },
        );
      expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
    });
  });

  describe('is refused for the true reason:', () => {
    it('more errors than are listed are counted', async () => {
      const customers = Array.from({ length: 1_500 }, () => ({ landline: 'x' }));
      const { body } = await validate(portage.account('many', { customers }));
      expect([body.errors.length, body.error_count]).toEqual([1_000, 1_500]);
      expect(body.detail).toContain('1500 errors');
      expect(body.errors.at(-1)).toMatchObject({ code: 'too_many_errors', attr: 'non_field_errors' });
      expect(body.errors.at(-1).detail).toContain('1500 errors were found, and the first 999 are listed');
    });

    it('a key that an object has twice', async () => {
      const text = JSON.stringify({ payload: portage.account('twice') });
      const { status, body } = await portage.post(
        '/v2/data-import/accounts/',
        `${text.slice(0, -1)},"task_params":{"is_dry_run":true,"is\\u005fdry_run":false}}`,
      );
      expect([status, body.code, body.detail]).toEqual([
        400,
        'parse_error',
        'An object of the body has the key "is_dry_run" twice. Send each key once.',
      ]);
      expect((await portage.status('twice')).status).toBe(404);
    });

    it('a repeated transaction or statement names the other one', async () => {
      const { body } = await add([payment('X'), payment('Y'), payment('X')]);
      expect(body.errors[0].detail).toContain('transactions.0');
      const repeated = await addStatements(statement('Z'), statement('Z'));
      expect(repeated.body.errors).toEqual([
        {
          attr: 'statements.1.statement_id',
          code: 'historical_statement_already_exists',
          detail: expect.stringContaining('statements.0 of this request'),
        },
      ]);
    });

    it('an unknown country, rounding noise and a choice say what to send', async () => {
      const country = { billing_address: { country: 'XX', street_address: '1 Lane' } };
      expect(errorsIn(await validate(portage.account('c', country)))).toEqual([
        ['billing_address.country', 'invalid_address'],
      ]);
      const noisy = await add([payment('N', { amount: 61.10000000000001 })]);
      expect(noisy.body.errors[0].detail).toContain('send 61.10');
      const choice = await add([payment('N', { reason: 'SSD_PAYMNT' })]);
      expect(choice.body.errors[0].detail).toMatch(
        /Choose one of SSD_PAYMENT, .* more, which \/openapi\.json lists/,
      );
    });
  });
});
