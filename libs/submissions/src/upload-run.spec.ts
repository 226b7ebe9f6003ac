import type { AccountToAccept, RefusedLine } from '@portage/imports';
import { refuseLine } from './read-line';
import { type UploadBody, UploadRun } from './upload-run';

const CHUNK_BYTES = 64 << 10;

/** The line numbers and, of accounts, the numbers of what is accepted together. */
type Batch = readonly (number | string)[];

type Item = AccountToAccept | RefusedLine;

/** What the sender of an upload does: sends bytes, pauses, leaves out the rest of a line, or is lost. */
type Part = string | Buffer | Error;

/**
 * Receives an upload. Lines with a name are valid accounts; the others are refused.
 *
 * @param upload all of it, or how it arrives
 * @returns what was accepted together, and how often other work of the process could run
 */
async function receive(
  upload: string | Buffer | Part[] | (() => Part | undefined),
  changes: Partial<ConstructorParameters<typeof UploadRun<Item>>[0]> = {},
): Promise<{ batches: Batch[]; turns: number }> {
  const batches: Batch[] = [];
  const parts =
    typeof upload === 'string' || Buffer.isBuffer(upload) ? chunksOf(Buffer.from(upload)) : upload;
  const next = typeof parts === 'function' ? parts : () => parts.shift();
  const run = new UploadRun<Item>({
    subject: 'account',
    storesAlone: false,
    maxLineBytes: 1_000,
    batchLines: 64,
    check: async (lines) =>
      Promise.resolve(
        lines.map((line): Item => {
          if (!('payload' in line)) return line;
          const { name } = line.payload as { name?: string };
          if (name === undefined) return refuseLine(line.line, line.payload, Buffer.from('digest'), []);
          return {
            process: { externalAccountNumber: name, externalIdentifier: name },
          } as AccountToAccept;
        }),
      ),
    isUnchanged: (line) => 'process' in line && line.process.externalAccountNumber.startsWith('unchanged'),
    accept: async (lines) => {
      batches.push(lines.map((line) => ('process' in line ? line.process.externalAccountNumber : line.line)));
      return Promise.resolve();
    },
    renew: async () => Promise.resolve(),
    ...changes,
  });
  let turns = 0;
  const ticker = setInterval(() => (turns += 1), 0);
  const source: UploadBody = {
    read: async () => {
      const part = next();
      if (part instanceof Error) throw part;
      return Promise.resolve(
        part === 'idle' || part === 'cut' || part === undefined ? part : Buffer.from(part),
      );
    },
    throwIfEnded: () => undefined,
  };
  await run.receive(source).finally(() => {
    clearInterval(ticker);
  });
  return { batches, turns };
}

function chunksOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / CHUNK_BYTES) }, (_, nth) =>
    bytes.subarray(nth * CHUNK_BYTES, (nth + 1) * CHUNK_BYTES),
  );
}

/** Receives three batches of one line each. @returns what began and ended, in this order */
async function receiveThree(storesAlone: boolean): Promise<string[]> {
  const steps: string[] = [];
  const body = [Buffer.from('{"name":"A"}\n{"name":"B"}\n{"name":"C"}\n')];
  const run = new UploadRun<string>({
    subject: 'account',
    storesAlone,
    maxLineBytes: 1_000,
    batchLines: 1,
    check: async (lines) => {
      const names = lines.map((line) => ('payload' in line ? (line.payload as { name: string }).name : ''));
      steps.push(`check ${names.join()}`);
      return Promise.resolve(names);
    },
    isUnchanged: () => false,
    accept: async (names) => {
      steps.push(`store ${names.join()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      steps.push(`stored ${names.join()}`);
    },
    renew: async () => Promise.resolve(),
  });
  await run.receive({ read: async () => Promise.resolve(body.shift()), throwIfEnded: () => undefined });
  return steps;
}

describe('the batches of an upload', () => {
  it('are stored one at a time, while the next one is validated', async () => {
    expect(await receiveThree(false)).toEqual([
      'check A',
      'store A',
      'check B',
      'stored A',
      'store B',
      'check C',
      'stored B',
      'store C',
      'stored C',
    ]);
  });

  it('are validated after the one before them is stored, if they are stored alone', async () => {
    expect(await receiveThree(true)).toEqual(
      ['A', 'B', 'C'].flatMap((name) => [`check ${name}`, `store ${name}`, `stored ${name}`]),
    );
  });
});

describe('an upload', () => {
  it.each([
    ['empty lines', '\n', 400],
    ['lines of a blank', ' \n', 20],
  ])('an upload of %s lets other work of the process run', async (_what, line, chunks) => {
    const blank = line.repeat((chunks * CHUNK_BYTES) / line.length);
    const { batches, turns } = await receive(`${blank}{"name":"A"}`);
    expect(batches).toEqual([['A']]);
    expect(turns).toBeGreaterThan(10);
  });

  it.each<[string | Buffer, string | RegExp]>([
    ['', 'The body is empty. Send one account a line.'],
    ['\n \r\n', 'The body is empty. Send one account a line.'],
    ['{"name":\n  "A"\n}\n', /^The body seems to be pretty-printed JSON/],
    [JSON.stringify('{"name":"A"}\n{"name":"B"}'), /^The body is a JSON text that has the lines in it/],
    ['\uFEFF[\n  {\n    "name": "A"\n  }\n]', /^The body is a JSON array/],
    ['supplier,number,name\nA,1,Aldous\n', /^The body seems to be CSV, separated by commas/],
    [
      '\uFEFF"Account number";"Family name"\r\n"1";"Aldous"\r\n',
      /^The body seems to be CSV, separated by semi/,
    ],
    ['number\tname\n1\tAldous\n', /^The body seems to be CSV, separated by tabs/],
    [Buffer.from('504b0304140008080800', 'hex'), /^The body seems to be a ZIP file/],
    [Buffer.from('\uFEFF{"name":"A"}\n', 'utf16le'), /^The body seems to be UTF-16/],
    ['<?xml version="1.0"?>\n<accounts>\n</accounts>\n', /^The body seems to be XML/],
    ['{\n  "name": "A"\n}\n', /^The body seems to be pretty-printed JSON: its first line continues/],
    ['\u0001\u0002,\n', /^The body seems to be binary: its first line has control characters/],
    [' name;"first name"\n', /^The body seems to be CSV, separated by semicolons\. Send one account a line/],
  ])('is refused once if it is no book: %j', async (text, detail) => {
    await expect(receive(text)).rejects.toMatchObject({
      code: 'parse_error',
      message: expect.stringMatching(detail) as string,
    });
  });

  it.each(['1\n', '{}\n', '{"external_account_number":"A"}\n'])(
    'an upload of equal refused lines takes one statement for each 64: %j',
    async (line) => {
      const { batches } = await receive(line.repeat(640));
      expect(batches.map(({ length }) => length)).toEqual(Array.from({ length: 10 }, () => 64));
    },
  );

  it.each([
    ['2 % of the accounts have changed', 50, [512, 512, 126]],
    ['every fourth account has changed', 4, [256, 256, 256, 256, 126]],
    ['every account has changed', 1, [...Array.from({ length: 17 }, () => 64), 62]],
  ])('accepts many unchanged accounts together, and at most 64 others: %s', async (_title, every, sizes) => {
    const names = Array.from(
      { length: 1_150 },
      (_, nth) => `${nth % every === 0 ? 'A' : 'unchanged'}-${nth}`,
    );
    const { batches } = await receive(names.map((name) => `{"name":"${name}"}\n`).join(''));
    expect(batches.map(({ length }) => length)).toEqual(sizes);
    expect(batches.flat()).toEqual(names);
  });
});

describe('the sender of an upload', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each<[string, Part[], Batch[]]>([
    ['pauses: what has arrived is stored', ['{"name":"A"}\n', 'idle', '{"name":"B"}'], [['A'], ['B']]],
    ['leaves out the rest of a line', ['{"name":"A', 'cut', '\n{"name":"B"}'], [[1, 'B']]],
    ['divides an account before a list', ['{"name":"A","tags":', '["x"]}'], [['A']]],
    ['has another format in a later line', ['{"name":"A"}\n', 'a,b'], [['A', 2]]],
  ])('may be one that %s', async (_what, parts, batches) => {
    expect((await receive(parts)).batches).toEqual(batches);
  });

  it('is told of another format after blank lines as well', async () => {
    await expect(receive([' \n', '[{"name":"A"}]'])).rejects.toThrow(/^The body is a JSON array/);
  });

  it('is lost: the lines that are complete are stored', async () => {
    const accept = jest.fn(async () => Promise.resolve());
    const lost = new Error('lost');
    await expect(receive(['{"name":"A"}\n{"name":"B"', lost], { accept })).rejects.toBe(lost);
    expect(accept.mock.calls).toMatchObject([[[{ process: { externalAccountNumber: 'A' } }]]]);
  });

  it('is slow: the upload is renewed about every 20 s', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const renewed: number[] = [];
    const renew = async () => Promise.resolve(void renewed.push(now));
    const upload = () => ((now += 8_000) < 70_000 ? 'idle' : undefined);
    await expect(receive(upload, { renew })).rejects.toThrow('The body is empty');
    expect(renewed).toEqual([24_000, 48_000]);
  });

  it('is told that a batch could not be stored, and none is stored after it', async () => {
    const away = new Error('away');
    const accept = jest.fn(async () => Promise.reject(away));
    await expect(receive('{"name":"A"}\n{"name":"B"}\n{"name":"C"}', { accept, batchLines: 1 })).rejects.toBe(
      away,
    );
    expect(accept).toHaveBeenCalledTimes(1);
  });
});

it('lines are stored together up to 4 MiB', async () => {
  const line = `{"name":"A","text":"${'x'.repeat((1 << 20) - 22)}"}`;
  const { batches } = await receive(`${line}\n`.repeat(6), { maxLineBytes: 1 << 20 });
  expect([line.length, batches.map(({ length }) => length)]).toEqual([1 << 20, [4, 2]]);
});
