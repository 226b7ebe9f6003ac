import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { MappingFolder, QUIET } from '../../test/mapping-folder';
import { MAX_VALUES } from './field-profile';
import { profileFile } from './profile-file';
import { profileLines, runProfile } from './run-profile';

let folder: MappingFolder;
beforeEach(() => {
  folder = new MappingFolder();
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function profile(name: string, content: string | Buffer) {
  folder.write(name, content);
  return profileFile(folder.at(name));
}

describe('The profile of a CSV file', () => {
  const CSV = [
    'NO;DAY;AMOUNT;TEXT;EMPTY',
    '7;31/12/2024;1.234,50;aa;',
    '10;05/01/2025;-86,5; b b ;',
    '9;99/99/9999;0,00;aa;',
    '8;01/02/2025;7,00;;',
    '6;01/02/2026;9,00;B-1;',
    '',
  ].join('\r\n');

  it('has what each column has, compared as days, numbers or text', async () => {
    const { rows, fields } = await profile('a.csv', CSV);
    expect(rows).toBe(5);
    const [number, day, amount, text, empty] = fields;
    expect(number).toMatchObject({
      filled: 5,
      distinct: 5,
      order: 'whole numbers',
      smallest: '6',
      largest: '10',
    });
    expect(day).toMatchObject({
      order: 'days as dd/MM/yyyy',
      smallest: '31/12/2024',
      largest: '01/02/2026',
      exceptions: { count: 1, text: '99/99/9999', row: 4 },
      frequentForms: [{ text: '99/99/9999', count: 5 }],
    });
    expect(amount).toMatchObject({ order: 'numbers as 1.234,56', smallest: '-86,5', largest: '1.234,50' });
    expect(text).toMatchObject({
      filled: 4,
      distinct: 3,
      shortest: 2,
      longest: 3,
      order: 'text',
      smallest: 'B-1',
      largest: 'b b',
      frequent: [
        { text: 'aa', count: 2 },
        { text: 'b b', count: 1 },
        { text: 'B-1', count: 1 },
      ],
      rareForms: [
        { text: 'A A', row: 3 },
        { text: 'A-9', row: 6 },
      ],
    });
    expect(empty).toMatchObject({ filled: 0, distinct: 0 });
  });

  it('has what looks wrong, with its row', async () => {
    const rows = [
      '12345678;Müller',
      '1234567;MÃ¼ller',
      '23456789;1.23457E+15',
      '34567890;?ukasz',
      '45678901;=1+1',
    ];
    const { fields } = await profile('a.csv', `NUMBER;NAME\n${rows.join('\n')}\n`);
    expect(fields[0]?.doubts).toEqual([{ doubt: 'lost_zeros', count: 1, text: '1234567', row: 3 }]);
    expect(fields[1]?.doubts.map(({ doubt, row }) => [doubt, row])).toEqual([
      ['wrong_encoding', 3],
      ['rounded_number', 4],
      ['lost_letter', 5],
      ['formula', 6],
    ]);
  });

  it('counts different values and forms up to limits, and says so', async () => {
    const count = MAX_VALUES + 5;
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({ a: index % 3, b: String(index), c: 'x-'.repeat(1 + (index % 60)) }),
    );
    const found = await profile('a.ndjson', lines.join('\n'));
    expect(found.fields.map(({ distinct, isMore }) => [distinct, isMore])).toEqual([
      [3, false],
      [MAX_VALUES, true],
      // Of values above 100 characters the start is compared.
      [51, false],
    ]);
    expect(profileLines(found).join('\n')).toContain('different more than 10000');
  });
});

describe('The profile of a large file', () => {
  it('takes constant memory', async () => {
    const rows = 60_000;
    function* lines() {
      for (let row = 0; row < rows; row += 1) {
        const line = { a: row, b: String(row).padStart(90, 'x'), c: [String(row * 7919).padStart(90, 'y')] };
        yield `${JSON.stringify(line)}\n`;
      }
    }
    await pipeline(Readable.from(lines()), createWriteStream(folder.at('large.ndjson')));
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const heldMiB = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed / 1024 / 1024;
    };
    const before = heldMiB();
    let most = 0;
    const measure = () => {
      most = Math.max(most, heldMiB());
    };
    // A collection takes long in a large process, and a fast machine ends within two seconds.
    const first = setTimeout(measure, 300);
    const measuring = setInterval(measure, 2_000);
    try {
      expect((await profileFile(folder.at('large.ndjson'))).rows).toBe(rows);
    } finally {
      clearTimeout(first);
      clearInterval(measuring);
    }
    expect(most).toBeGreaterThan(0);
    // All different values of the file have more than 20 MiB.
    expect(most - before).toBeLessThan(12);
  }, 120_000);
});

describe('The profile of a book', () => {
  const LINES = [
    {
      external_account_number: 'A1',
      customers: [{ family_name: 'Roth' }, { family_name: 'Berg' }],
      is_managed: true,
    },
    { external_account_number: 'A2', customers: [{ family_name: '' }], transfer_balance: -12.5, notes: null },
  ];
  const BOOK = `${LINES.map((line) => JSON.stringify(line)).join('\n\n')}\n`;

  it.each([
    ['book.ndjson', BOOK],
    ['book.ndjson.gz', gzipSync(BOOK)],
  ])('has its fields by path: %s', async (name, content) => {
    const { rows, fields } = await profile(name, content);
    expect(rows).toBe(2);
    expect(fields.map(({ name: path, filled }) => [path, filled])).toEqual([
      ['external_account_number', 2],
      ['customers[].family_name', 2],
      ['is_managed', 1],
      ['transfer_balance', 1],
    ]);
  });

  it('leaves out lines that are no JSON, and names the first', async () => {
    const found = await profile('b.ndjson', '{"a":1}\n{"a"\n[]\n{"a":2}\n');
    expect(found).toMatchObject({ rows: 2, fields: [{ filled: 2 }] });
    expect(found.problem).toMatch(/^Lines that were not read: 2\. The first is line 2: The line is not JSON/);
  });

  it.each([
    ['line 1: The line is not JSON', '{"a"\n'],
    ['is empty', '\n'],
    ['not a complete gzip file', gzipSync(BOOK).subarray(0, 40)],
  ])('needs a book that can be read: %s', async (message, content) => {
    const name = typeof content === 'string' ? 'b.ndjson' : 'b.ndjson.gz';
    await expect(profile(name, content)).rejects.toThrow(message);
  });
});

describe('profile', () => {
  it('writes a page of its own, in which texts of the file are no HTML', async () => {
    jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
    folder.write('a.csv', `"<b>A</b>",B\n<script>alert(1)</script>,"'""&"\n`);
    await runProfile([folder.at('a.csv'), '--html', folder.at('profile.html')], QUIET);
    const page = folder.read('profile.html').toString();
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('&lt;b&gt;A&lt;/b&gt;');
    expect(page).not.toMatch(/<(script|b|img|link|iframe)\b/);
    // Nothing is loaded.
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/(src|url|href)\s*[=(]\s*["']?(?!#)[\w/]/);
  });

  it.each([
    ['a.csv', 'A\n1\n'],
    ['a.ndjson', '{"a":1}\n'],
  ])('shows how much was read: %s', async (name, content) => {
    jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
    folder.write(name, content);
    const shown: unknown[] = [];
    const progress = { ...QUIET.progress, show: (steps: readonly unknown[]) => shown.push(...steps) };
    await runProfile([folder.at(name)], { ...QUIET, progress });
    expect(shown.at(-1)).toEqual({ label: 'read', fraction: 1, details: folder.at(name) });
  });

  it('writes over no file that it reads, and no page if it cannot read the file', async () => {
    const path = folder.at('a.csv');
    folder.write('a.csv', 'A\n1\n');
    await expect(runProfile([path, '--html', path], QUIET)).rejects.toThrow('is the file itself');
    folder.write('a.csv', 'A,A\n1,2\n');
    await expect(runProfile([path, '--html', folder.at('p.html')], QUIET)).rejects.toThrow('is there twice');
    expect(() => folder.read('p.html')).toThrow('ENOENT');
  });

  it('says what it needs', async () => {
    await expect(runProfile(['a.csv', '--htm', 'x'], QUIET)).rejects.toThrow("unknown option '--htm'");
    await expect(runProfile([folder.at('b.csv')], QUIET)).rejects.toThrow('b.csv cannot be read: ');
  });
});
