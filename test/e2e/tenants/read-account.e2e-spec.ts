import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  additionsPath,
  anyBackend,
  importAndReadBack,
  readBackPath,
  REPOSITORY,
  SharedPortage,
  tomorrow,
} from '@portage/testing';

type Json = Record<string, unknown>;

/** Accounts of the sample book: one of each combination of members. */
function bookAccounts(): Json[] {
  const lines = readFileSync(join(REPOSITORY, 'examples', 'book.ndjson'), 'utf8')
    .trim()
    .split('\n');
  const accounts = lines.flatMap((line): Json[] => {
    try {
      const value = JSON.parse(line) as Json | Json[];
      return Array.isArray(value) ? [] : [(value['payload'] as Json | undefined) ?? value];
    } catch {
      // The book has broken lines.
      return [];
    }
  });
  return [...new Map(accounts.map((one) => [Object.keys(one).sort().join(), one])).values()];
}

describe('an imported account that is read back', () => {
  const portage = SharedPortage.use(anyBackend());
  const other = SharedPortage.use(anyBackend());

  it.each(['01-domestic-dual-fuel', '02-minimal', '03-business-two-addresses', '04-unknown-occupier'])(
    'is what was sent, but for the differences that are documented: %s',
    async (name) => {
      await importAndReadBack(portage, portage.example(name));
    },
  );

  it('is what was sent in each valid account of the sample book', async () => {
    const supplier = await portage.addSupplier('book');
    let count = 0;
    for (const payload of bookAccounts()) {
      const sent = portage.own(payload, supplier);
      const { status } = await portage.post('/v2/data-import/accounts/validate/', sent);
      if (status !== 200) continue;
      await importAndReadBack(portage, sent);
      count += 1;
    }
    expect(count).toBeGreaterThan(5);
  });

  it('keeps other requests waiting for a part of its time only, however long it is', async () => {
    const notes = Array.from({ length: 3_000 }, (_, index) => ({ body: `${index} ${'x'.repeat(2_000)}` }));
    await portage.importAccount('long', { notes });
    /** Reads an answer without parsing it, which would keep the test itself from measuring. */
    const read = async (path: string) => {
      const answer = await fetch(portage.baseUrl + path, {
        headers: { authorization: `Token ${portage.token}` },
      });
      const start = performance.now();
      const { byteLength } = await answer.arrayBuffer();
      return [answer.status, byteLength, start] as const;
    };
    const path = readBackPath(portage.supplier, 'long');
    /** The part of the reading for which the longest of the other requests waited. */
    const longestPart = async (readers: number) => {
      const start = performance.now();
      let isReading = true;
      const reading = Promise.all(Array.from({ length: readers }, async () => read(path))).finally(() => {
        isReading = false;
      });
      const waits: number[] = [];
      while (isReading) {
        const begin = performance.now();
        await read('/health/live');
        waits.push(performance.now() - begin);
      }
      for (const [status, bytes] of await reading) expect([status, bytes > 6_000_000]).toEqual([200, true]);
      const elapsedMs = performance.now() - start;
      waits.sort((one, other) => one - other);
      const [median, longest] = [waits[Math.floor(waits.length / 2)]!, waits.at(-1)!];
      process.stderr.write(
        `Read back: 6 MB by ${readers} at once in ${elapsedMs.toFixed(0)} ms; ${waits.length} other requests, median ${median.toFixed(0)} ms, longest ${longest.toFixed(0)} ms.\n`,
      );
      return longest / elapsedMs;
    };
    for (const readers of [1, 8]) {
      // A pause of a busy machine is not in every round; an account that is read without slices blocks in each of them.
      const parts: number[] = [];
      while (parts.length < 5 && !parts.some((part) => part < 1 / 4)) parts.push(await longestPart(readers));
      expect(Math.min(...parts)).toBeLessThan(1 / 4);
    }
  });

  it('has nothing that was added after the import, which is counted, and read by itself', async () => {
    const payload = portage.account('added', {
      transfer_balance: '-10',
      last_statement_balance: '-10.0',
      last_statement_closing_date: '2024-05-31',
      notes: [{ body: 'Sent with the account.' }],
    });
    await importAndReadBack(portage, payload);
    const before = (await portage.get(readBackPath(portage.supplier, 'added'))).body;
    const added = await portage.post('/v1/data-import/transactions/create/', {
      ...portage.about('added'),
      transactions: [
        {
          transaction_id: 'late',
          transaction_date: '2020-01-01',
          type: 'PAYMENT',
          amount: 3,
          payment_type: 'DEBIT_CARD',
        },
      ],
    });
    expect([added.status, added.body.results[0].moved_to]).toEqual([201, expect.any(String)]);
    await portage.post('/v1/data-import/notes/create/', {
      ...portage.about('added'),
      notes: [{ body: 'Later.' }],
    });
    await portage.post('/v1/data-import/historical-statements/create/', {
      ...portage.about('added'),
      statements: [
        { statement_id: 'S', bill_period_from_date: '2024-01-01', bill_period_to_date: '2024-01-31' },
      ],
    });
    const additions = { notes: 2, transactions: 1, historical_statements: 1, payment_instructions: 0 };
    expect((await portage.get(readBackPath(portage.supplier, 'added'))).body).toEqual({
      ...before,
      additions,
    });
    const balances = [{ ledger_code: null, balance: '-7.00', currency: 'GBP' }];
    const read = async (query: string) =>
      (await portage.get(additionsPath(portage.supplier, 'added', query))).body;
    expect(await read('')).toEqual({ balances, counts: additions, items: [], next: null });
    expect(await read('?kind=transactions&limit=1')).toMatchObject({
      items: [{ transaction_id: 'late', amount: '3.00', original_date: '2020-01-01' }],
      next: null,
    });
    expect(before.account).toMatchObject({ transfer_balance: '-10.00', last_statement_balance: '-10.00' });
  });

  it('is not found by another organisation, before its import, after an erasure, and under a name that does not exist', async () => {
    await importAndReadBack(portage, portage.account('mine'));
    await other.importAccount('theirs');
    await portage.schedule({ payload: portage.account('waiting'), task_params: tomorrow() });
    const unknown = await portage.get(readBackPath('NOWHERE', 'mine'));
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found']);
    const foreign = await portage.get(readBackPath(other.supplier, 'theirs'));
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    const missing = await portage.get(readBackPath(portage.supplier, 'nothing'));
    for (const [supplier, name] of [
      ['NOWHERE', 'mine'],
      [other.supplier, 'theirs'],
    ] as const)
      expect((await portage.get(additionsPath(supplier, name))).text).toBe(unknown.text);
    for (const name of ['waiting', '%00', ' ', '..']) {
      const answer = await portage.get(readBackPath(portage.supplier, name));
      expect([name, answer.status, answer.body.code]).toEqual([name, 404, 'not_found']);
      const additions = await portage.get(additionsPath(portage.supplier, name));
      expect([name, additions.status, additions.body.code]).toEqual([name, 404, 'not_found']);
    }
    const { platform_account_number: number } = (await portage.get(readBackPath(portage.supplier, 'mine')))
      .body;
    await portage.operator('supplier', 'set', portage.supplier, '--document-root', portage.supplier);
    await portage.operator('account', 'erase', number as string, '--yes');
    const erased = await portage.get(readBackPath(portage.supplier, 'mine'));
    expect([erased.status, erased.text]).toEqual([404, missing.text]);
    expect((await portage.get(additionsPath(portage.supplier, 'mine'))).text).toBe(missing.text);
  });

  it.each([
    ['?kind=debts', 'kind', 'invalid_choice'],
    ['?kind=notes&limit=1001', 'limit', 'invalid'],
    ['?kind=notes&after=S-1', 'after', 'invalid'],
    ['?after=1', 'after', 'invalid'],
  ])('refuses a query of its additions that is not valid: %s', async (query, attr, code) => {
    const answer = await portage.get(additionsPath(portage.supplier, 'any', query));
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ attr, code })]]);
  });

  it('has an entry of the audit for each reading, which counts for the limit of the supplier', async () => {
    const supplier = await portage.addSupplier('audited');
    await importAndReadBack(portage, portage.account('audited', { import_supplier: supplier }));
    const entries = async () =>
      portage.sql<{ actor: string; subject: string }>(
        `SELECT actor, subject FROM audit_entry WHERE action = 'account.read' AND supplier = $1`,
        [supplier],
      );
    const before = await entries();
    const { body } = await portage.get(readBackPath(supplier, 'audited'));
    await portage.get(additionsPath(supplier, 'audited'));
    const after = await entries();
    expect(after.length - before.length).toBe(2);
    expect(after.at(-1)).toEqual(after.at(-2));
    expect(after.at(-1)).toEqual({
      actor: expect.stringMatching(/^api-key:/) as string,
      subject: body.platform_account_number as string,
    });
  });
});
