import { randomUUID } from 'node:crypto';
import {
  type Answer,
  insertProcesses,
  INTENDED_FAILURE,
  SharedPortage,
  tomorrow,
  until,
} from '@portage/testing';

interface Item {
  external_account_number: string;
  platform_account_number: string | null;
  account_created_at: string | null;
}

const KINDS = ['all', 'pending', 'imported'] as const;
type Kind = (typeof KINDS)[number];

const portage = SharedPortage.use('postgres');

const list = async (kind: Kind, query = '', supplier = portage.supplier): Promise<Answer> =>
  portage.get(`/v1/data-import/${kind}-account-import-processes/${supplier}/${query}`);

const numbers = ({ body }: Answer): string[] => (body as Item[]).map((item) => item.external_account_number);

/** Follows `Link` from page to page. Returns the account numbers of each page. */
async function readPages(kind: Kind, query: string, supplier?: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let answer = await list(kind, query, supplier); ;) {
    expect(answer.status).toBe(200);
    pages.push(numbers(answer));
    const { link } = answer.headers;
    if (link === undefined) return pages;
    answer = await portage.get(/^<(\/v1\/[^>]*)>; rel="next"$/.exec(String(link))![1]!);
  }
}

describe('the lists of a supplier with a few accounts', () => {
  beforeAll(async () => {
    for (const number of ['third', 'first', 'second']) await portage.schedule(portage.account(number));
    for (const number of ['third', 'first', 'second']) await portage.waitForAccount(number, 'PROCESSED');
    for (const number of ['later', 'cancelled', 'last'])
      await portage.schedule({
        payload: portage.account(number),
        task_params: tomorrow(),
      });
    const one = ['--supplier', portage.supplier, '--external-account-number', 'cancelled'];
    await portage.operator('process', 'cancel', ...one);
    await portage.schedule({ payload: portage.account('dry-run'), task_params: { is_dry_run: true } });
    await portage.waitForAccount('dry-run', 'DRY_RUN_SUCCEEDED');
  });

  it.each([
    ['all', ['third', 'first', 'second', 'later', 'last', 'dry-run']],
    ['pending', ['later', 'last', 'dry-run']],
    ['imported', ['third', 'first', 'second']],
  ] as const)('%s: in the order of creation, without cancelled processes', async (kind, expected) => {
    const answer = await list(kind);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(numbers(answer)).toEqual(expected);
  });

  it.each(KINDS)('%s: every item has the shape of the contract', async (kind) => {
    for (const item of (await list(kind)).body as Item[]) {
      const isImported = ['third', 'first', 'second'].includes(item.external_account_number);
      expect(item).toEqual({
        external_account_number: expect.any(String),
        platform_account_number: isImported ? expect.stringMatching(/^A-[0-9a-f]{8}$/) : null,
        account_created_at: isImported ? expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) : null,
      });
    }
  });

  it('are empty arrays for a supplier without accounts', async () => {
    const empty = await portage.addSupplier('EMPTY');
    for (const kind of KINDS) {
      const [whole, page] = [await list(kind, '', empty), await list(kind, '?limit=5', empty)];
      expect([whole.status, whole.text, page.text]).toEqual([200, '[]', '[]']);
    }
  });

  it('continue after any account, including cancelled and dry-run ones', async () => {
    expect(numbers(await list('all', '?after=cancelled'))).toEqual(['last', 'dry-run']);
    expect(numbers(await list('imported', '?after=later'))).toEqual([]);
    expect(numbers(await list('all', '?after=dry-run&limit=3'))).toEqual([]);
  });

  it.each([
    ['?limit=0', ['limit']],
    ['?after=unknown', ['after']],
    ['?after=a%00b', ['after']],
    ['?limit=x&after=', ['limit', 'after']],
  ])('refuse %s, naming %j', async (query, attrs) => {
    for (const kind of KINDS) {
      const { status, body } = await list(kind, query);
      expect([status, body]).toEqual([
        400,
        {
          code: 'validation_error',
          detail: expect.any(String),
          errors: attrs.map((attr) => ({ attr, code: 'invalid', detail: expect.any(String) })),
        },
      ]);
    }
  });
});

describe('the lists of a supplier with many accounts', () => {
  const ROWS = 10_000;
  const expectedNumbers: Record<Kind, string[]> = { all: [], pending: [], imported: [] };
  let large: string;

  beforeAll(async () => {
    large = await portage.addSupplier('LARGE');
    // Every seventh process is cancelled; of the others, those with an even number are imported.
    await portage.sql(
      `INSERT INTO import_process (supplier_id, external_account_number, external_identifier, is_dry_run, status,
         latest_event, payload_hash, account_number, account_created_at)
       SELECT supplier.id, number, number, false, made.status, 'CREATED', '\\x00',
         CASE WHEN made.status = 'PROCESSED' THEN 'L-' || row END,
         CASE WHEN made.status = 'PROCESSED' THEN now() END
       FROM import_supplier supplier, generate_series(1, ${ROWS}) AS row,
         LATERAL (SELECT 'N "' || row || '"\\é' AS number,
           CASE WHEN row % 7 = 0 THEN 'CANCELLED' WHEN row % 2 = 0 THEN 'PROCESSED' ELSE 'DRY_RUN_SUCCEEDED' END AS status
         ) AS made
       WHERE supplier.code = $1 ORDER BY row`,
      [large],
    );
    for (let row = 1; row <= ROWS; row += 1) {
      if (row % 7 === 0) continue;
      const number = `N "${row}"\\é`;
      expectedNumbers.all.push(number);
      expectedNumbers[row % 2 === 0 ? 'imported' : 'pending'].push(number);
    }
  });

  it.each(KINDS)('%s: is complete, in order and valid JSON', async (kind) => {
    const answer = await list(kind, '', large);
    expect([answer.status, answer.headers['transfer-encoding']]).toEqual([200, 'chunked']);
    expect(numbers(answer)).toEqual(expectedNumbers[kind]);
  });

  it.each(KINDS)('%s: has every account exactly once in its pages', async (kind) => {
    const pages = await readPages(kind, '?limit=499', large);
    expect(pages.flat()).toEqual(expectedNumbers[kind]);
    expect(pages.slice(0, -1).every((page) => page.length === 499)).toBe(true);
  });

  it('has no next link on the last page, even if the page is full', async () => {
    const last = expectedNumbers.imported.slice(-500);
    const after = encodeURIComponent(expectedNumbers.imported.at(-501)!);
    const answer = await list('imported', `?limit=500&after=${after}`, large);
    expect([numbers(answer), answer.headers['link']]).toEqual([last, undefined]);
  });

  it('has stable pages while accounts are added', async () => {
    const growing = await portage.addSupplier('GROWING');
    const schedule = async (number: string) =>
      portage.schedule(portage.account(number, { import_supplier: growing }));
    await schedule('last');
    expect(numbers(await list('all', '?limit=500&after=last', growing))).toEqual([]);
    await schedule('added');
    expect(numbers(await list('all', '?limit=500&after=last', growing))).toEqual(['added']);
  });
});

it('a list response that fails after its first chunk is aborted, and the failure is logged', async () => {
  const broken = await portage.addSupplier('BROKEN');
  // An infinite timestamp cannot be formatted, so the second chunk of 2,000 rows fails after the first has been sent.
  await portage.sql(
    insertProcesses('import_supplier, generate_series(1, 3000) AS n WHERE code = $1 ORDER BY n', {
      supplier_id: 'id',
      status: `'PROCESSED'`,
      account_number: `'B-' || n`,
      account_created_at: `CASE WHEN n = 3000 THEN 'infinity' ELSE now() END`,
    }),
    [broken],
  );
  const requestId = `${INTENDED_FAILURE}-${randomUUID()}`;
  const path = `/v1/data-import/all-account-import-processes/${broken}/`;
  await expect(portage.get(path, { 'x-request-id': requestId })).rejects.toThrow();
  await until(
    () => new RegExp(`"requestId":"${requestId}".*A list response was aborted\\.`).test(portage.log('api')),
    'the failure is not in the log',
  );
});
