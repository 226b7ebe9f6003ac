import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { MappingFolder, NOW } from '../../test/mapping-folder';
import { parseMapOptions } from './map-options';
import { runMap } from './run-map';

const EXAMPLE = join(__dirname, '../../../../examples/mapping');

describe('The mapping of examples/mapping', () => {
  let folder: MappingFolder;
  let printed: string;
  beforeEach(() => {
    folder = new MappingFolder();
    printed = '';
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
    for (const name of ['accounts.csv', 'readings.csv', 'mapping.yaml'])
      cpSync(join(EXAMPLE, name), folder.at(name));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    folder.remove();
  });

  const run = () => {
    const options = { mapping: folder.at('mapping.yaml'), out: folder.at('book.ndjson'), rows: undefined };
    return runMap({ ...options, rejected: folder.at('rejected.csv') }, NOW);
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
    await expect(run()).rejects.toThrow(
      'accounts.csv, row 8: the row has more or fewer cells than the header.',
    );
    for (const name of ['book.ndjson', 'book.ndjson.partial', 'rejected.csv', 'rejected.csv.partial'])
      expect(existsSync(folder.at(name))).toBe(false);
  });

  it('writes over no file that it reads', async () => {
    const options = { mapping: folder.at('mapping.yaml'), rows: undefined, rejected: undefined };
    await expect(runMap({ ...options, out: folder.at('accounts.csv') }, NOW)).rejects.toThrow(
      'is read or written by this run already',
    );
  });
});

describe('The options of map', () => {
  it('are those of a check or of a book', () => {
    expect(parseMapOptions(['check', '--mapping', 'm.yaml', '--rows', '5'])).toEqual({
      mapping: 'm.yaml',
      rows: 5,
    });
    expect(parseMapOptions(['book', '--mapping', 'm.yaml', '--out', 'b', '--rejected', 'r'])).toEqual({
      mapping: 'm.yaml',
      out: 'b',
      rejected: 'r',
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
