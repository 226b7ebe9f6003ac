import { encode } from 'iconv-lite';
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { MappingFolder, NOW, QUIET } from '../../test/mapping-folder';
import { parseMapOptions } from './map-options';
import { runPreview } from './preview';
import { runMap } from './run-map';

const EXAMPLE = join(__dirname, '../../../../examples/mapping');

let folder: MappingFolder;
let printed: string;
beforeEach(() => {
  folder = new MappingFolder();
  printed = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('The mapping of examples/mapping', () => {
  beforeEach(() => {
    for (const name of ['accounts.csv', 'readings.csv', 'mapping.yaml'])
      cpSync(join(EXAMPLE, name), folder.at(name));
  });

  const run = () => {
    const options = { mapping: folder.at('mapping.yaml'), out: folder.at('book.ndjson'), rows: undefined };
    const rejected = folder.at('rejected.csv');
    return runMap({ ...options, kind: 'accounts', rejected }, NOW, QUIET);
  };

  it('makes the expected book and the expected files of rejected rows, byte for byte', async () => {
    expect(await run()).toBe(false);
    for (const name of ['book.ndjson', 'rejected.csv', 'rejected.readings.csv'])
      expect(folder.read(name)).toEqual(readFileSync(join(EXAMPLE, name)));
    expect(printed).toContain('Accounts without errors: 4\nAccounts with errors: 1\n');
    expect(existsSync(folder.at('book.ndjson.partial'))).toBe(false);
  });

  it('takes the rejected rows as its sources once they are mended', async () => {
    await run();
    for (const [name, rejected] of [
      ['accounts.csv', 'rejected.csv'],
      ['readings.csv', 'rejected.readings.csv'],
    ] as const)
      renameSync(folder.at(rejected), folder.at(name));
    const mended = folder.read('accounts.csv').toString('latin1');
    folder.write(
      'accounts.csv',
      Buffer.from(mended.replace(';31/02/2022;10.5;', ';28/02/2022;10,5;'), 'latin1'),
    );
    expect(await run()).toBe(true);
    expect(folder.read('book.ndjson').toString()).toMatch(
      /^\{"import_supplier":"DEMO","external_account_number":"10005".*\n$/,
    );
  });

  it('writes nothing if a file cannot be read to its end', async () => {
    folder.write('accounts.csv', Buffer.concat([folder.read('accounts.csv'), Buffer.from('1;2\r\n')]));
    await expect(run()).rejects.toThrow('accounts.csv, row 8: the row has 2 cells and the header 15.');
    for (const name of ['book.ndjson', 'book.ndjson.partial', 'rejected.csv', 'rejected.csv.partial'])
      expect(existsSync(folder.at(name))).toBe(false);
  });

  const preview = async (row: number, width: number) => {
    const options = {
      command: 'preview',
      mapping: folder.at('mapping.yaml'),
      kind: 'accounts',
      row,
    } as const;
    return runPreview(options, NOW, QUIET, width);
  };

  it.each([
    [1, 'accounts.csv starts at line 1'],
    [6, 'accounts.csv starts at line 6'],
    [99, 'accounts.csv starts at line 99'],
  ])('has no preview of a line at which no row starts: %s', async (row, message) => {
    await expect(preview(row, 120)).rejects.toThrow(message);
  });

  it('shows an account beside its rows, or below them, with what is wrong', async () => {
    expect(await preview(2, 140)).toBe(true);
    expect(printed).toMatch(
      /^accounts\.csv row 2 +│ account\n {2}CUSTNO {4}10001 +│ {3}import_supplier: DEMO\n/,
    );
    expect(printed).toMatch(/READING {4}42\.093,0/);
    expect(printed).toMatch(/│ +reading_value: 42093\.0\n/);
    expect(printed).toMatch(/No errors\.\n$/);
    printed = '';
    expect(await preview(5, 80)).toBe(true);
    expect(printed).toMatch(/ADDR1 {5}2 Quay Street ⏎ Flat 3\n[^]*\naccount\n/);
    printed = '';
    expect(await preview(7, 140)).toBe(false);
    expect(printed).toContain('\nErrors:\n  accounts.csv row 7, START "31/02/2022": unreadable_cell');
  });

  it('shows warnings about values that are allowed but implausible', async () => {
    const damaged = folder.read('accounts.csv').toString('latin1').replace('Aldous', 'M\u00c3\u00bcller');
    folder.write('accounts.csv', Buffer.from(damaged, 'latin1'));
    expect(await preview(2, 140)).toBe(true);
    expect(printed).toMatch(/\nWarnings:\n {2}accounts\.csv row 2, .*MÃ¼ller/);
  });

  it('writes over no file that it reads', async () => {
    const options = { mapping: folder.at('mapping.yaml'), rows: undefined, rejected: undefined };
    const out = folder.at('accounts.csv');
    await expect(runMap({ ...options, kind: 'accounts', out }, NOW, QUIET)).rejects.toThrow(
      'is read or written by this run already',
    );
  });
});

describe('map check', () => {
  /** Checks rows of a file with the columns NO, NAME and COMPNO. */
  const check = async (rows: readonly string[], encoding = 'utf-8') => {
    folder.write('a.csv', encode(`NO;NAME;COMPNO\n${rows.join('\n')}\n`, encoding));
    folder.write(
      'm.yaml',
      `source: { a: { file: a.csv, encoding: ${encoding}, delimiter: ';', key: NO } }
account:
  import_supplier: { value: DEMO }
  external_account_number: NO
  billing_name: NAME
  business: { company_number: COMPNO }
`,
    );
    return runCheck();
  };

  const runCheck = async () =>
    runMap(
      {
        kind: 'accounts',
        mapping: folder.at('m.yaml'),
        rows: undefined,
        out: undefined,
        rejected: undefined,
      },
      NOW,
      QUIET,
    );

  it.each([
    ['wrong_encoding', '2 × a.csv row 3, NAME "MÃ¼ller"', ['1;Müller;', '2;MÃ¼ller;', '3;StraÃŸe;']],
    ['lost_letter', '1 × a.csv row 3, NAME "?ukasz"', ['1;Łukasz;', '2;?ukasz;']],
    ['rounded_number', '1 × a.csv row 2, COMPNO "1.23457E+15"', ['1;A;1.23457E+15']],
    ['spreadsheet_error', '1 × a.csv row 2, NAME "#REF!"', ['1;#REF!;']],
    ['formula', '1 × a.csv row 2, NAME "=1+1"', ['1;=1+1;']],
    [
      'lost_zeros',
      '1 × a.csv row 4, COMPNO "1234567"',
      ['1;A;12345678', '2;B;23456789', '3;C;1234567', '4;D;34567890', '5;E;45678901'],
    ],
  ])('warns with the number of cells and the first place: %s', async (kind, place, rows) => {
    await check(rows);
    expect(printed).toContain(`Warnings, each with its first place:\n  ${place}: ${kind}. It `);
  });

  it('warns of a file that is read in another encoding than it has', async () => {
    folder.write('a.csv', '');
    await check(['1;A;']);
    folder.write('a.csv', 'NO;NAME;COMPNO\n1;Müller;\n');
    folder.write('m.yaml', folder.read('m.yaml').toString().replace('utf-8', 'windows-1252'));
    await runCheck();
    expect(printed).toContain('1 × a.csv row 2, NAME "MÃ¼ller": wrong_encoding.');
  });

  it('has no warning for ordinary text', async () => {
    await check(['1;Zoë D’Arcy – São João;01234567', '2;Ann;12345678']);
    expect(printed).toContain('Accounts with');
    expect(printed).not.toContain('Warnings');
  });
});

describe('The options of map', () => {
  it('are those of a check or of a book', () => {
    expect(parseMapOptions(['check', '--mapping', 'm.yaml', '--rows', '5'])).toEqual({
      mapping: 'm.yaml',
      kind: 'accounts',
      rows: 5,
    });
    expect(parseMapOptions(['book', '--mapping', 'm.yaml', '--out', 'b', '--rejected', 'r'])).toEqual({
      mapping: 'm.yaml',
      kind: 'accounts',
      out: 'b',
      rejected: 'r',
    });
  });

  it('are those of a preview', () => {
    expect(parseMapOptions(['preview', '--mapping', 'm.yaml', '--row', '17'])).toEqual({
      command: 'preview',
      mapping: 'm.yaml',
      kind: 'accounts',
      row: 17,
    });
  });

  it.each([
    [['check'], "required option '--mapping <path>' not specified"],
    [['book', '--mapping', 'm'], "required option '--out <path>' not specified"],
    [['check', '--mapping', 'm', '--rows', '0'], '--rows 0 is not a whole number above 0.'],
    [['make'], "unknown command 'make'"],
  ])('are required and known: %j', (args, message) => {
    expect(() => parseMapOptions(args)).toThrow(message);
  });
});
