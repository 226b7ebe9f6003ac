import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Answer, anyBackend, SharedPortage, tomorrow, until, uploadAnswer } from '@portage/testing';

const SUBMISSIONS = '/v2/data-import/submissions/';

describe('submissions', () => {
  const portage = SharedPortage.use(anyBackend());
  const other = SharedPortage.use(anyBackend());

  const open = async (more: object = {}): Promise<Answer> =>
    portage.post(SUBMISSIONS, { import_supplier: portage.supplier, reference: randomUUID(), ...more });
  const openId = async (more: object = {}): Promise<string> => (await open(more)).body.id as string;
  const read = async (id: string): Promise<Answer> => portage.get(`${SUBMISSIONS}${id}/`);
  const act = async (id: string, action: 'complete' | 'abort'): Promise<Answer> =>
    portage.send('POST', `${SUBMISSIONS}${id}/${action}/`);

  let numbers = 0;
  const numbersOf = (count: number) => Array.from({ length: count }, () => `B-${(numbers += 1)}`);
  const lineOf = (number: string, more: object = {}) => JSON.stringify(portage.account(number, more));
  const bookOf = (accounts: readonly string[]) => accounts.map((number) => `${lineOf(number)}\n`).join('');
  const invalid = (number: string) =>
    lineOf(number, { customers: [{ family_name: 'Aldous', landline: '1' }] });

  /** Lets accounts wait until a time that does not come. */
  const later = () => ({ task_params: tomorrow() });

  /** The sum of all states and refused lines, which must be what was received. */
  const sumOf = ({ received: _received, repeated: _repeated, ...counts }: Record<string, number>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);

  async function waitUntilFinished(id: string): Promise<Answer> {
    let answer = await read(id);
    await until(
      async () => {
        answer = await read(id);
        expect(sumOf(answer.body.counts)).toBe(answer.body.counts.received);
        return answer.body.status === 'ABORTED' ? 'never' : answer.body.status === 'FINISHED';
      },
      () => `The submission has not finished: ${answer.text}`,
    );
    return answer;
  }

  describe('are opened', () => {
    it('are opened once for each reference: the same body finds it, and another body is refused', async () => {
      const body = {
        import_supplier: portage.supplier,
        reference: 'the book',
        expected: { accounts: 3, opening_balance: '-12.50' },
      };
      const first = await portage.post(SUBMISSIONS, body);
      expect(first.status).toBe(201);
      expect(first.body).toMatchObject({
        id: expect.stringMatching(/^\d+$/),
        import_supplier: portage.supplier,
        reference: 'the book',
        status: 'OPEN',
        completed_at: null,
        finished_at: null,
        accounts_per_second: null,
        counts: { received: 0, refused: 0, repeated: 0, pending: 0, cancelled: 0 },
      });
      const again = await portage.post(SUBMISSIONS, {
        ...body,
        expected: { opening_balance: -12.5, accounts: 3 },
      });
      expect([again.status, again.body.id]).toEqual([200, first.body.id]);
      const changed = await portage.post(SUBMISSIONS, { ...body, expected: { accounts: 4 } });
      expect([changed.status, changed.body.code]).toEqual([400, 'submission_reference_already_exists']);
      const [audited] = await portage.sql<{ actor: string; details: object }>(
        `SELECT actor, details FROM audit_entry WHERE action = 'submission.open' AND supplier = $1 AND subject = 'the book'`,
        [portage.supplier],
      );
      expect(audited).toEqual({
        actor: expect.stringMatching(/^api-key:/),
        details: { submission: first.body.id, kind: 'accounts', mode: 'create', is_dry_run: false },
      });
    });

    it.each([
      [{ schedule_window_end: 'x' }, 'task_params.schedule_window_end invalid'],
      [
        { schedule_window_end: '2999-01-01' },
        'task_params.schedule_window_end schedule_window_end_too_far_in_future',
      ],
    ])('are opened only with a schedule window that is valid: %j', async (taskParams, error) => {
      const answer = await portage.post(SUBMISSIONS, {
        import_supplier: portage.supplier,
        reference: 'window',
        task_params: taskParams,
      });
      const errors = answer.body.errors as { attr: string; code: string }[];
      expect([answer.status, ...errors.map(({ attr, code }) => `${attr} ${code}`)]).toEqual([400, error]);
    });

    it('are opened only while the migration of their supplier is ongoing', async () => {
      const id = await openId();
      await portage.operator('supplier', 'set-status', portage.supplier, 'Paused');
      try {
        await until(
          async () => (await open()).body.code === 'import_supplier_migration_not_ongoing',
          'A submission of a paused supplier was opened.',
        );
        expect((await portage.upload(id, bookOf(['P']))).body.code).toBe(
          'import_supplier_migration_not_ongoing',
        );
      } finally {
        await portage.operator('supplier', 'set-status', portage.supplier, 'Ongoing');
      }
      await until(async () => (await open()).status === 201, 'The supplier stays paused.');
    });
  });

  it('import their accounts, and finish when all have come to their end', async () => {
    const id = await openId();
    const accounts = numbersOf(150);
    const answer = await portage.upload(id, `${bookOf(accounts)}\n${invalid('wrong')}\n`);
    expect([answer.status, answer.body]).toEqual([
      200,
      uploadAnswer({ lines: 151, accepted: 150, refused: 1 }),
    ]);
    expect((await read(id)).body).toMatchObject({ status: 'OPEN', counts: { received: 151, refused: 1 } });
    const completed = await act(id, 'complete');
    expect(completed.status).toBe(200);
    expect(completed.body.completed_at).toEqual(expect.any(String));
    const finished = await waitUntilFinished(id);
    expect(finished.body).toMatchObject({
      finished_at: expect.any(String),
      counts: { received: 151, refused: 1, processed: 150, errored: 0, pending: 0 },
    });
    expect((await act(id, 'complete')).body.status).toBe('FINISHED');
    const closed = await portage.upload(id, bookOf(['late']));
    expect([closed.status, closed.body.code]).toEqual([400, 'submission_not_open']);
    const aborted = await act(id, 'abort');
    expect([aborted.status, aborted.body.cancelled, aborted.body.submission.status]).toEqual([
      200,
      0,
      'FINISHED',
    ]);
    const repeated = await open({ reference: 'again' }).then(async ({ body }) =>
      portage.upload(body.id as string, bookOf(accounts.slice(0, 2))),
    );
    expect(repeated.body).toEqual(uploadAnswer({ lines: 2, unchanged: 2 }));
  });

  it('are listed newest first, by pages', async () => {
    const supplier = await portage.addSupplier('list');
    const ids: string[] = [];
    for (const reference of ['a', 'b', 'c'])
      ids.unshift(await openId({ import_supplier: supplier, reference }));
    const pages: string[][] = [];
    for (let path: string | undefined = `${SUBMISSIONS}?supplier=${supplier}&limit=2`; path;) {
      const { status, body, headers } = await portage.get(path);
      expect(status).toBe(200);
      pages.push((body as { id: string }[]).map(({ id }) => id));
      path = /^<([^>]*)>; rel="next"$/.exec(String(headers['link']))?.[1];
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2)]);
    const found = async (reference: string) => {
      const query = `?supplier=${supplier}&reference=${reference}`;
      const { status, headers, body } = await portage.get(`${SUBMISSIONS}${query}`);
      expect(headers['ignored-parameters']).toBeUndefined();
      return status === 200 ? (body as { id: string }[]).map(({ id }) => id) : body.code;
    };
    expect(await found('a')).toEqual([ids[2]]);
    expect(await found('d')).toEqual([]);
    expect(await found('x'.repeat(129))).toBe('validation_error');
    expect((await portage.get(`${SUBMISSIONS}?limit=0`)).body.errors).toHaveLength(2);
    expect((await portage.get(`${SUBMISSIONS}?supplier=${other.supplier}`)).status).toBe(404);
  });

  describe('read lines', () => {
    let id: string;
    beforeAll(async () => {
      id = await openId(later());
    });

    it('a line that is not one account is refused, and the upload goes on', async () => {
      const [a, b, c] = numbersOf(3) as [string, string, string];
      const lines: (string | Buffer)[] = [
        lineOf(a),
        '{"broken',
        Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
        '7',
        '[{}]',
        JSON.stringify({ payload: portage.account(b), task_params: { is_dry_run: true } }),
        JSON.stringify({ payload: portage.account(b) }),
        lineOf('other', { import_supplier: other.supplier }),
        '['.repeat(5_000),
        '{"external_account_number":"\\u0000\\ud800","x\\u0000y":1}',
        invalid(c),
      ];
      const body = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
      const refused = lines.length - 2;
      const common = { lines: lines.length, refused, ignored_fields: { 'x\ufffdy': 1 } };
      expect((await portage.upload(id, body)).body).toEqual(uploadAnswer({ ...common, accepted: 2 }));
      expect((await portage.upload(id, body)).body).toEqual(uploadAnswer({ ...common, repeated: 2 }));
      const errors = await portage.sql<{ line: number; code: string }>(
        `SELECT line, errors->0->>'code' AS code FROM submission_line
         WHERE submission_id = $1 AND outcome = 'refused' ORDER BY upload_number, line`,
        [id],
      );
      expect(errors).toEqual([
        { line: 2, code: 'line_not_json' },
        { line: 3, code: 'line_not_json' },
        { line: 4, code: 'line_not_json' },
        { line: 5, code: 'line_not_json' },
        { line: 6, code: 'task_params_in_line' },
        { line: 8, code: 'invalid_choice' },
        { line: 9, code: 'line_too_long' },
        { line: 10, code: expect.any(String) },
        { line: 11, code: expect.any(String) },
      ]);
      const { counts } = (await read(id)).body;
      expect([counts.refused, sumOf(counts)]).toEqual([refused, counts.received]);
    });

    it.each<[string, Buffer, Record<string, string>, number, string, RegExp]>([
      ['a JSON array', Buffer.from(' [\n{}]'), {}, 400, 'parse_error', /one account a line/],
      ['gzip without its header', gzipSync('{}\n'), {}, 400, 'parse_error', /Content-Encoding: gzip/],
      ['broken gzip', Buffer.from('{}\n'), { 'content-encoding': 'gzip' }, 400, 'parse_error', /gzip/],
      [
        'a gzip bomb',
        gzipSync(Buffer.alloc(100_000_000, 0x20)),
        { 'content-encoding': 'gzip' },
        400,
        'parse_error',
        /200 times/,
      ],
      [
        'another encoding',
        Buffer.from('{}\n'),
        { 'content-encoding': 'br' },
        415,
        'unsupported_media_type',
        /gzip/,
      ],
      [
        'JSON',
        Buffer.from('{}'),
        { 'content-type': 'application/json' },
        415,
        'unsupported_media_type',
        /x-ndjson/,
      ],
    ])('an upload of %s gets a clear answer', async (_what, body, headers, status, code, detail) => {
      const answer = await portage.upload(id, body, headers);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      expect(answer.body.detail).toMatch(detail);
    });

    it('a truncated gzip is answered with the number of lines that were accepted', async () => {
      const cutId = await openId(later());
      const packed = gzipSync(bookOf(numbersOf(3)));
      // The last line loses its end.
      const answer = await portage.upload(cutId, packed.subarray(0, -10), { 'content-encoding': 'gzip' });
      expect([answer.status, answer.body.code]).toEqual([400, 'parse_error']);
      expect(answer.body.detail).toBe(
        'The compressed body ends too early. Lines before that: 2 were read, 2 accepted.',
      );
      expect((await read(cutId)).body.counts.received).toBe(2);
    });
  });

  it('keep an account that is sent by itself, and its line has the measures of what was sent', async () => {
    const id = await openId(later());
    const [number] = numbersOf(1) as [string];
    await portage.upload(id, bookOf([number]));
    const customers = [{ family_name: 'Aldous' }, { family_name: 'Bell' }];
    expect((await portage.schedule(portage.account(number, { customers }))).status).toBe(201);
    expect((await read(id)).body.counts.received).toBe(1);
    const lines = await portage.sql('SELECT customers FROM submission_line WHERE submission_id = $1', [id]);
    expect(lines).toEqual([{ customers: 2 }]);
  });
});
