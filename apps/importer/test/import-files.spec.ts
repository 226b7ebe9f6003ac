import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { UsageError } from '../src/usage-error';
import type { ReceivedRequest, Reply } from '../../../packages/client/test/fake-service';
import { accountLine, ImportRun, PROCESSED } from './import-run';

let run: ImportRun;
afterEach(() => run.end());
const start = async (answer: (request: ReceivedRequest) => Reply | undefined = () => undefined) =>
  (run = await ImportRun.start(answer));

const digestOf = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

const book = [accountLine('1'), accountLine('2'), accountLine('3')].join('\n');

describe('the book', () => {
  it('may come from standard input and be compressed', async () => {
    await start();
    const halves = [gzipSync(book).subarray(0, 20), gzipSync(book).subarray(20)];
    const { summary } = await run.import({ file: '-' }, { standardInput: Readable.from(halves) });
    expect(summary).toMatchObject({ valid: 3 });
    expect(run.checked.sort()).toEqual(['1', '2', '3']);
  });

  it('may be a .gz file of several members', async () => {
    await start();
    const file = await run.write(
      'book.ndjson.gz',
      Buffer.concat([gzipSync(`${accountLine('1')}\n`), gzipSync(accountLine('2'))]),
    );
    expect((await run.import({ file })).summary).toMatchObject({ valid: 2 });
  });

  it.each([
    ['an empty file', '', 'There is no line in'],
    ['a broken gzip file', gzipSync(book.repeat(1000)).subarray(0, 60), 'is not a complete gzip file'],
    ['a file that is only named .gz', book, 'is not a complete gzip file'],
    ['a JSON array', `[\n${book.replaceAll('\n', ',\n')}\n]`, 'is a JSON array'],
    ['pretty-printed JSON', '{\n  "external_account_number": "1"\n}\n', 'seems to be pretty-printed JSON'],
    ['serialised twice', JSON.stringify(book), 'they were serialised twice'],
    ['CSV', 'import_supplier;external_account_number\nA;1\n', 'seems to be CSV'],
  ])('is refused before anything is sent if it is %s', async (what, content, message) => {
    await start();
    const file = await run.write(what.includes('.gz') ? 'book.gz' : 'book', content);
    const failure: unknown = await run.import({ file }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UsageError);
    expect((failure as UsageError).message).toContain(message);
    expect(run.checked).toEqual([]);
  });

  it('is not overwritten by an output', async () => {
    await start();
    const file = await run.write('book.ndjson', book);
    for (const option of ['rejected', 'errors'] as const)
      await expect(
        run.import({ file, rejected: undefined, errors: undefined, [option]: file }),
      ).rejects.toThrow('is the file to be sent');
    expect(await run.read('book.ndjson')).toBe(book);
    await expect(run.import({ file, errors: run.path('x'), rejected: run.path('./x') })).rejects.toThrow(
      'are the same file',
    );
  });
});

describe('--rejected', () => {
  it('has the refused lines as they came, byte for byte', async () => {
    await start((request) =>
      request.method === 'POST' && request.body.includes('bad')
        ? { status: 400, body: { code: 'invalid', detail: 'No.' } }
        : undefined,
    );
    const lines = [
      Buffer.from(`\uFEFF ${accountLine('bad-1')} \r`),
      Buffer.from(accountLine('1')),
      Buffer.from([0x7b, 0xff, 0x7d]),
      Buffer.concat([Buffer.from('{"x":"'), Buffer.alloc(100_000_001, 'y'), Buffer.from('"}')]),
      Buffer.from('{"import_supplier":"DEMO","external_account_number":"bad-2","balance":1.10}'),
    ];
    const newline = Buffer.from('\n');
    const file = await run.write(
      'book',
      Buffer.concat(lines.flatMap((line) => [line, newline])).subarray(0, -1),
    );
    const { summary } = await run.import({ file });
    expect(summary).toMatchObject({ valid: 1, refused: { parse_error: 2, invalid: 2 } });
    const expected = Buffer.concat([0, 2, 3, 4].flatMap((nth) => [lines[nth]!, newline]));
    expect(expected.equals(await run.readBytes('rejected.ndjson'))).toBe(true);
    for (const name of ['rejected.ndjson', 'errors.csv'])
      expect([name, (await stat(run.path(name))).mode & 0o777]).toEqual([name, 0o600]);
    // The line that is too long has 100 MB.
  });
});

describe('lines about the same account', () => {
  const other = { billing_name: 'Other' };
  const lines = [
    accountLine('A'),
    accountLine('B'),
    accountLine('A', other),
    accountLine('C'),
    `{"payload": ${accountLine('C')}}`,
    accountLine('A'),
  ].join('\n');

  it('are checked once if they are equal, and are conflicts if not', async () => {
    await start();
    const { summary } = await run.import({ file: await run.write('book', lines) });
    expect(run.checked.sort()).toEqual(['B', 'C']);
    expect(summary).toMatchObject({ valid: 2, conflicting: 3, repeated: 1, refused: {} });
    const errors = await run.readErrors();
    expect(errors).toMatch(
      /3,account,A,conflicting,conflicting_lines,,.*first is line 1, the last is line 6/,
    );
    expect(await run.read('rejected.ndjson')).toBe(
      `${[accountLine('A'), accountLine('A', other), accountLine('A')].join('\n')}\n`,
    );
  });

  it('are replaced by the last one with --last-wins', async () => {
    await start();
    const changed = [accountLine('A'), accountLine('A', other)].join('\n');
    const { summary } = await run.import({ file: await run.write('book', changed), lastWins: true });
    expect(
      run.service.requestsTo('POST', '/v2/data-import/accounts/validate/').map(({ body }) => body),
    ).toEqual([accountLine('A', other)]);
    expect(summary).toMatchObject({ valid: 1, superseded: 1, conflicting: 0 });
  });

  it('differ if their task parameters differ', async () => {
    await start();
    const payload = JSON.parse(accountLine('A')) as object;
    const dry = JSON.stringify({ payload, task_params: { is_dry_run: true } });
    const { summary } = await run.import({ file: await run.write('book', `${accountLine('A')}\n${dry}`) });
    expect(summary).toMatchObject({ conflicting: 2 });
  });

  it('that were imported before are told apart as same, other, or unknown by Payload-Digest', async () => {
    const digests = new Map<string, string>();
    await start(({ method, path }) => {
      if (method === 'POST')
        return {
          status: 400,
          body: { errors: [{ code: 'account_import_process_already_imported', attr: '', detail: 'There.' }] },
        };
      const digest = digests.get(path.split('/').at(-2)!);
      return { ...PROCESSED, headers: digest === undefined ? undefined : { 'payload-digest': digest } };
    });
    const spaced = accountLine('same').replace('{', '{ ');
    digests.set('same', digestOf(accountLine('same')));
    digests.set('other', digestOf(accountLine('other', other)));
    const file = await run.write('book', [spaced, accountLine('other'), accountLine('unknown')].join('\n'));
    const { summary } = await run.import({ file });
    expect(summary).toMatchObject({ already_imported: 2, already_imported_differing: 1 });
    expect(await run.readErrors()).toMatch(/\n2,account,other,differing,already_imported_differing,,/);
    expect(await run.read('rejected.ndjson')).toBe(`${accountLine('other')}\n`);
  });
});
