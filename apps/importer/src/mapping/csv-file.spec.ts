import { encode } from 'iconv-lite';
import { truncateSync } from 'node:fs';
import { MappingFolder, QUIET } from '../../test/mapping-folder';
import { ChildRows } from './child-rows';
import { CsvFile, type CsvRow, MAX_RECORD_CHARACTERS } from './csv-file';

describe('A CSV file', () => {
  let folder: MappingFolder;
  beforeEach(() => {
    folder = new MappingFolder();
  });

  async function open(
    content: string | Buffer,
    encoding = 'utf-8',
    order?: { column: string; read: undefined },
  ) {
    folder.write('a.csv', content);
    const settings = {
      name: 'a',
      file: 'a.csv',
      path: folder.at('a.csv'),
      encoding,
      delimiter: ';',
      quote: '"',
    };
    return CsvFile.open({ ...settings, key: 'A', order });
  }

  async function read(content: string | Buffer, encoding?: string): Promise<CsvRow[]> {
    const rows: CsvRow[] = [];
    for await (const row of (await open(content, encoding)).rows()) rows.push(row);
    return rows;
  }

  it.each(['\n', '\r\n'])(
    'is read with the line of each row, also after line breaks in cells: %j',
    async (end) => {
      const text = ['A;B', '1;2', '', '"x', '', 'y";" =1+1"', '4;"a""b"', ''].join(end);
      expect(await read(text)).toEqual([
        { row: 2, cells: ['1', '2'] },
        { row: 4, cells: [`x${end}${end}y`, ' =1+1'] },
        { row: 7, cells: ['4', 'a"b'] },
      ]);
    },
  );

  it('has a line for its last row, if that ends in another way than the others', async () => {
    const rows = await read('A;B\r\n1;2\r\n3;4\n');
    expect(rows.map(({ row }) => row)).toEqual([2, 3]);
  });

  it.each(['windows-1252', 'utf-8', 'utf-16le', 'cp850'])('is read in its encoding: %s', async (encoding) => {
    expect(await read(encode('A;B\né;ß\n', encoding), encoding)).toEqual([{ row: 2, cells: ['é', 'ß'] }]);
  });

  it('has a header that can be read, whatever is wrong with its rows', async () => {
    // So that a wrong delimiter is seen by its columns.
    expect((await open('A,B\n1,"2"\n')).header.columns).toEqual(['A,B']);
  });

  it('may start with the byte order mark of its encoding', async () => {
    const file = await open('\ufeffA;B\n1;2\n');
    expect(file.header).toEqual({ columns: ['A', 'B'], hasMark: true });
  });

  it('may have the errors of an earlier run as its last column, which is not read', async () => {
    const file = await open('A;B;errors\n1;2;wrong\n');
    expect(file.header.columns).toEqual(['A', 'B']);
    expect(await read('A;B;errors\n1;2;wrong\n')).toEqual([{ row: 2, cells: ['1', '2'] }]);
  });

  const broken: [message: string, content: string | Buffer, encoding?: string][] = [
    ['a.csv is empty.', ''],
    ['a.csv is empty.', '\n\n'],
    ['a.csv, row 1: column 2 of the header has no name.', 'A; ;C\n'],
    [
      'a.csv, row 1: column 3 of the header has no name. Does each line end with the delimiter?',
      'A;B;\n1;2;\n',
    ],
    ['a.csv, row 1: the column B is there twice. Rename one of them.', 'A;B;B\n'],
    ['a.csv, row 3: the row has 3 cells and the header 2.', 'A;B\n1;2\n1;2;3\n'],
    ['a.csv, row 5: the row has 1 cell and the header 2.', 'A;B\n"1\r\n";2\n1;2\n1\n'],
    [
      'a.csv, row 2: the row has 3 cells and the header 2, and a line break in a cell: rows end only with the line break that ends the header.',
      'A;B\r\n1;2\n3;4\n',
    ],
    ['a.csv, row 2: a quote is opened and never closed.', 'A;B\n1;"2\n3;4\n'],
    ['a.csv, row 2: a quote stands inside a cell that does not start with one.', 'A;B\n1;a"b\n'],
    [
      'a.csv, row 2: text follows the closing quote of a cell. A quote inside quotes has to be written twice.',
      'A;B\n1;"a"b\n',
    ],
    [
      `the row is longer than ${MAX_RECORD_CHARACTERS} characters`,
      `A;B\n1;"${'x'.repeat(2 * MAX_RECORD_CHARACTERS)}"`,
    ],
    ['a.csv, row 3, B: a NUL character. Is the file utf-8, or utf-16le?', 'A;B\n1;2\n1;\0\n'],
    ['a.csv, row 2, A: bytes that are no text in utf-8', Buffer.from('A;B\n\xe9;2\n', 'latin1')],
    [
      'a.csv, row 2, A: bytes that are no text in windows-1252',
      Buffer.from('A;B\n\x81;2\n', 'latin1'),
      'windows-1252',
    ],
    [
      'a.csv starts with the byte order mark of utf-8, and its encoding is given as windows-1252.',
      '\ufeffA;B\n',
      'windows-1252',
    ],
  ];

  it.each(broken.map(([message, content, encoding = 'utf-8']) => [message, content, encoding] as const))(
    'ends the run: %s',
    async (message, content, encoding) => {
      await expect(read(content, encoding)).rejects.toThrow(message);
    },
  );

  it.each(['A;B\n1;', 'A;B\n1;"', ''])(
    'ends the run at a line of 2 GB, after the start of it: %j',
    async (start) => {
      const file = await open('A;B\n1;2\n');
      folder.write('a.csv', start);
      truncateSync(folder.at('a.csv'), 2 ** 31);
      const rows = async () => {
        for await (const _row of file.rows());
      };
      await expect(rows()).rejects.toThrow(`the row is longer than ${MAX_RECORD_CHARACTERS} characters`);
    },
  );

  it('ends the run if it was changed since it was opened', async () => {
    const file = await open('A;B\n1;2\n');
    folder.write('a.csv', 'A;B\n1;2\n3;4\n');
    const rows = async () => {
      for await (const _row of file.rows());
    };
    await expect(rows()).rejects.toThrow('a.csv has changed during the run. Run it again.');
  });

  it('has to exist and be a file', async () => {
    const file = await open('A\n1\n');
    for (const path of [folder.at('missing.csv'), folder.path])
      await expect(CsvFile.open({ ...file.settings, path })).rejects.toThrow('a.csv cannot be read: ');
  });

  it('is grouped by key in parts, if it is large, and by keys with the same hash', async () => {
    // These two have the same FNV-1a hash.
    const keys = ['costarring', 'liquid', ...Array.from({ length: 3000 }, (_, nth) => `K${nth}`)];
    const filling = 'x'.repeat(1000);
    const rowsOf = (round: number) => keys.map((key) => `${key};${round}${filling}`).join('\n');
    const file = await open(`A;B\n${rowsOf(1)}\n${rowsOf(2)}\n`);
    const rows = await ChildRows.read(file, QUIET.stop.signal);
    try {
      const found = keys.map((key) => [
        key,
        rows.rowsOf(key).map(({ cells }) => cells.join().slice(0, -1000)),
      ]);
      expect(found).toEqual(keys.map((key) => [key, [`${key},1`, `${key},2`]]));
      expect(rows.rowsOf('K3000')).toEqual([]);
    } finally {
      await rows.close();
    }
  });

  it('is grouped by key in the order that is given', async () => {
    const file = await open('A;B\n1;c\n2;x\n1;a\n', 'utf-8', { column: 'B', read: undefined });
    const rows = await ChildRows.read(file, QUIET.stop.signal);
    const orphans: number[] = [];
    try {
      expect(rows.rowsOf('1').map(({ row }) => row)).toEqual([4, 2]);
      expect(rows.rowsOf('3')).toEqual([]);
      for await (const { row } of rows.orphans()) orphans.push(row);
    } finally {
      await rows.close();
    }
    expect(orphans).toEqual([3]);
  });
});
