import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { encode } from 'iconv-lite';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MappingFolder } from '../../../test/mapping-folder';
import { readMapping } from '../mapping';
import type { YamlNode } from '../yaml-node';
import { runInit } from './run-init';

const EXAMPLE = join(__dirname, '../../../../../examples/mapping');

let folder: MappingFolder;
beforeEach(() => {
  folder = new MappingFolder();
  jest.spyOn(process.stdout, 'write').mockImplementation(() => true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Guesses a mapping, and reads it as map check does. */
async function init(files: Record<string, string | Buffer>): Promise<string> {
  for (const [name, content] of Object.entries(files)) folder.write(name, content);
  const out = folder.at('mapping.yaml');
  await runInit({ files: Object.keys(files).map((name) => folder.at(name)), out });
  await readMapping(out);
  return folder.read('mapping.yaml').toString();
}

/** The fields that each column is mapped to, with their forms, such as `customers.title {}`. */
function fieldsByColumn(text: string): Map<string, Set<string>> {
  const { account } = load(text, { schema: FAILSAFE_SCHEMA }) as { account: YamlNode };
  const found = new Map<string, Set<string>>();
  const add = (column: string, field: string) =>
    found.set(column, (found.get(column) ?? new Set()).add(field));
  const walk = (node: YamlNode, path: string): void => {
    if (typeof node === 'string') {
      add(node, `${path} {}`);
      return;
    }
    if (Array.isArray(node)) {
      for (const item of node) walk(item, path);
      return;
    }
    const { column, columns = [], each: _each, by: _by, default: _default, ...rest } = node;
    if (typeof column === 'string') add(column, `${path} ${JSON.stringify(sorted(rest))}`);
    else if ((columns as string[]).length > 0) (columns as string[]).forEach((one) => add(one, path));
    else
      for (const [name, value] of Object.entries(rest))
        if (name !== 'value') walk(value, path === '' ? name : `${path}.${name}`);
  };
  walk(account, '');
  return found;
}

function sorted(node: YamlNode): YamlNode {
  if (typeof node !== 'object' || Array.isArray(node)) return node;
  const members = Object.entries(node).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, value]) => [name, sorted(value)]));
}

describe('map init on examples/mapping', () => {
  let text: string;
  beforeEach(async () => {
    text = await init({
      'accounts.csv': readFileSync(join(EXAMPLE, 'accounts.csv')),
      'readings.csv': readFileSync(join(EXAMPLE, 'readings.csv')),
    });
  });

  it('maps two thirds of the columns as the mapping of the example, and none in another way', () => {
    const expected = fieldsByColumn(readFileSync(join(EXAMPLE, 'mapping.yaml'), 'utf8'));
    const guessed = fieldsByColumn(text);
    const columns = ['accounts.csv', 'readings.csv'].flatMap((name) =>
      (folder.read(name).toString('latin1').split('\r\n', 1)[0] as string).split(';'),
    );
    const other = columns.flatMap((column) =>
      [...(guessed.get(column) ?? [])].filter((field) => !expected.get(column)?.has(field)),
    );
    const left = columns.filter((column) => expected.has(column) && !guessed.has(column));
    expect(other).toEqual([]);
    expect(left).toEqual(['START', 'BALANCE', 'FROM', 'READ_DATE']);
    expect(columns.length - left.length).toBeGreaterThan((columns.length * 2) / 3);
  });

  it('marks each line of a value as a guess, and what it leaves open', () => {
    const lines = text.split('\n').filter((line) => /: (\{|\S+ #)|delimiter|encoding/.test(line));
    expect(lines.length).toBeGreaterThan(25);
    for (const line of lines) expect(line).toMatch(/# (guess|open|not known): /);
  });

  it('names the form of numbers and days, and maps no money whose sign it does not know', () => {
    expect(text).toMatch(
      /# transfer_balance: .*decimal: ',', thousands: '\.' \} # open: .*1\.234,56, but not 1 of .*"10\.5".*negate: true.*Sign:/,
    );
    expect(text).toMatch(/reading_value: .*# guess: .*numbers as 1\.234,56/);
    expect(text).toMatch(/- START # .*days as dd\/MM\/yyyy/);
  });

  it('leaves days open that can be read in two ways', () => {
    for (const form of ['dd/MM/yyyy', 'MM/dd/yyyy'])
      expect(text).toContain(`# reading_date: { column: READ_DATE, date: ${form} } # open: `);
  });

  it('names the JSON Schema, so that editors complete the file', () => {
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(resolve(folder.path, schema)).toBe(resolve(EXAMPLE, '../../docs/mapping.schema.json'));
  });

  it('names the fields that the contract requires and no column has', () => {
    for (const name of ['supply_start_date', 'mpid', 'billed'])
      expect(text).toContain(`# ${name}: # open: the contract requires it`);
  });

  it('writes over no file', async () => {
    await expect(init({ 'accounts.csv': 'A\n1\n' })).rejects.toThrow(
      'mapping.yaml exists: give another path',
    );
    expect(folder.read('mapping.yaml').toString()).toBe(text);
  });
});

describe('map init', () => {
  it.each([
    ['utf-8', ',', 'utf-8', "','"],
    ['utf-16le', '\t', 'utf-16le', 'tab'],
    ['windows-1252', ';', 'windows-1252', "';'"],
    ['utf-8', '|', 'utf-8', "'|'"],
  ])('finds the encoding %s with the delimiter %j', async (encoding, delimiter, found, written) => {
    const rows = [
      ['ACCOUNT_NO', 'SURNAME', 'Ort'],
      ['1', 'Müller', 'Köln, Süd'],
      ['2', 'Größe', 'Nürnberg'],
      ['3', 'Schäfer', 'Fürth'],
    ].map((cells) => cells.map((cell) => (cell.includes(delimiter) ? `"${cell}"` : cell)).join(delimiter));
    const bytes = encode(`${rows.join('\n')}\n`, encoding, { addBOM: encoding.startsWith('utf-16') });
    const text = await init({ 'accounts.csv': bytes });
    expect(text).toContain(`    encoding: ${found} # guess: `);
    expect(text).toContain(`    delimiter: ${written} # guess: `);
    expect(text).toContain('family_name: SURNAME # guess: ');
  });

  it.each(['utf-16le', 'utf-16be'])('finds %s without a byte order mark', async (encoding) => {
    const text = await init({ 'a.csv': encode('ACCOUNT_NO;SURNAME\n1;Müller\n', encoding) });
    expect(text).toContain(`    encoding: ${encoding} # guess: `);
    expect(text).toContain('family_name: SURNAME # guess: ');
  });

  it('writes spaces that cannot be told from others as escapes', async () => {
    const text = await init({ 'a.csv': 'ACCOUNT_NO;BALANCE\n1;1\u00a0234,50\n2;2\u00a0345,60\n' });
    expect(text).toContain(
      'decimal: \',\', thousands: "\\u00a0" } # open: by its name; numbers as 1\\u00a0234,56;',
    );
  });

  it('maps days of one plain form, and says which cells have another one', async () => {
    const text = await init({
      'a.csv': 'CUSTNO,DOB\n1,31.12.1970\n2,01.02.1980\n3,1.3.90\n4,05.06.1999\n5,07.08.2000\n',
    });
    expect(text).toContain(
      'date_of_birth: { column: DOB, date: dd.MM.yyyy } # guess: by its name; days as dd.MM.yyyy, but not 1 of the values, such as "1.3.90"',
    );
  });

  it('maps days with a time that is always the start of the day', async () => {
    const text = await init({ 'a.csv': 'CUSTNO,DOB\n1,31.12.1970 00:00:00\n2,01.02.1980 00:00:00\n' });
    expect(text).toContain('date_of_birth: { column: DOB, date: dd.MM.yyyy 00:00:00 } # guess: ');
  });

  it('leaves numbers open that can be read in two ways', async () => {
    const text = await init({ 'a.csv': 'CUSTNO;MPAN;SERIAL;READING\n1;11;s;1.205\n2;12;t;307\n' });
    expect(text).toContain("#   - reading_value: { column: READING, decimal: '.' } # open: ");
    expect(text).toContain("#     reading_value: { column: READING, decimal: ',', thousands: '.' } # open: ");
  });

  it('leaves values open that the contract does not have', async () => {
    const text = await init({ 'a.csv': 'CUSTNO,TYPE\n1,DOMESTIC\n2,XX\n' });
    expect(text).toMatch(/# account_type: .* # open: .*not known: "XX"/);
  });

  it('joins files by the items of another one', async () => {
    const text = await init({
      'customers.csv': 'CUSTNO,SURNAME\n1,A\n2,B\n',
      'points.csv': 'CUSTNO,MPAN,SERIAL\n1,11,s\n2,12,t\n',
      'reads.csv': 'MPAN,READ_DATE,READING\n11,31/12/2024,5\n12,30/11/2024,7\n',
    });
    const { account } = load(text, { schema: FAILSAFE_SCHEMA }) as { account: YamlNode };
    expect(account).toMatchObject({
      supply_addresses: [
        {
          meter_points: {
            each: 'points',
            by: 'MPAN',
            meters: {
              each: 'points',
              by: 'SERIAL',
              reading_history: {
                each: 'reads',
                match: 'MPAN',
                reading_date: { column: 'READ_DATE', date: 'dd/MM/yyyy' },
              },
            },
          },
        },
      ],
    });
    expect(text).toContain('key: MPAN # guess: ');
  });

  it('makes items of repeated columns', async () => {
    const text = await init({
      'a.csv': 'CUSTNO,MPAN_1,SERIAL_1,MPAN_2,SERIAL_2,ADDR1,ADDR2\n1,11,s,12,t,4 Row,Town\n',
    });
    const { account } = load(text, { schema: FAILSAFE_SCHEMA }) as { account: YamlNode };
    const point = (number: number) => ({
      identifier: `MPAN_${number}`,
      supply_type: { value: 'ELECTRICITY' },
      meters: [{ meter_serial_number: `SERIAL_${number}` }],
    });
    expect(account).toMatchObject({
      billing_address1: 'ADDR1',
      billing_address2: 'ADDR2',
      supply_addresses: [{ meter_points: [point(1), point(2)] }],
    });
  });

  it('reads names and samples as text, whatever they are', async () => {
    const names = [
      'CUST NO',
      'a: b',
      '# c',
      '{d}',
      "e'f",
      'null',
      '-',
      '- g',
      'h\u0085i',
      '*j',
      '!k',
      '@',
      'l, m',
    ];
    const cells = names.map((_, index) =>
      index === 0 ? '1' : `"x\n# ${'y'.repeat(60)} \u{1f600}: ""z"" \u2028\u0085"`,
    );
    const header = names.map((name) => (name.includes(',') ? `"${name}"` : name)).join(',');
    const text = await init({ 'a.csv': `${header}\n${cells.join(',')}\n` });
    expect(text).toContain('external_account_number: CUST NO');
    expect(load(text, { schema: FAILSAFE_SCHEMA })).toMatchObject({ unused: { a: names.slice(1) } });
  });

  it('says that it has found no key', async () => {
    const text = await init({ 'a.csv': 'NAME,TOWN\nA,B\nA,B\n', 'b.csv': 'X,NOTE\n9,z\n' });
    expect(text).toContain(
      'key: NAME # guess: not known: no column has a different value in each row. Choose one',
    );
    expect(text).toContain('key: X # guess: not known: no column has keys of the accounts. Choose one');
  });

  it.each([
    ['a.csv is empty.', ''],
    ['row 1: the column B is there twice.', 'B,B\n1,2\n'],
    ['row 3: the row has 1 cell and the header 2.', 'A;B\n1;2\n3\n'],
  ])('says what is wrong with a file: %s', async (message, content) => {
    await expect(init({ 'a.csv': content })).rejects.toThrow(message);
  });

  it('names a file that is not there', async () => {
    await expect(runInit({ files: [folder.at('b.csv')], out: folder.at('m.yaml') })).rejects.toThrow(
      'b.csv cannot be read: ',
    );
  });
});
