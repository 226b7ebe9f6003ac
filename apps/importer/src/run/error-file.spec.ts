import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { UsageError } from '../usage-error';
import { ErrorFile } from './error-file';

const HEADER = '"line","request","external_account_number","stage","code","attr","detail"\n';

let folder: string;
beforeEach(async () => (folder = newDirectory()));

it('writes one row per error, quotes every field, and escapes formulas and invisible characters', async () => {
  const path = join(folder, 'errors.csv');
  const file = await ErrorFile.create(path);
  const who = { line: 3, externalAccountNumber: '=HYPERLINK("http://example.org")' };
  file.add(who, 'refused', {
    code: 'invalid',
    attr: 'customers.0.email',
    detail: 'Not "an" address,\nreally.',
  });
  file.add({ line: 4, request: 'notes', externalAccountNumber: '-1' }, 'errored', {
    code: 'boom',
    attr: '',
    detail: '@SUM(A1)',
  });
  file.add({ line: 5, externalAccountNumber: '+1' }, 'errored', {
    code: 'boom',
    attr: '',
    detail: '\t=1 \r \u001b[2J \u202e',
  });
  await file.close();
  expect(await readFile(path, 'utf8')).toBe(
    HEADER +
      `"3","account","'=HYPERLINK(""http://example.org"")","refused","invalid","customers.0.email","Not ""an"" address,\nreally."\n` +
      `"4","notes","'-1","errored","boom","","'@SUM(A1)"\n` +
      `"5","account","'+1","errored","boom","","\\u0009=1 \\u000d \\u001b[2J \\u202e"\n`,
  );
});

it('writes a header and overwrites an earlier file even without errors', async () => {
  const path = join(folder, 'errors.csv');
  await (await ErrorFile.create(path)).close();
  expect(await readFile(path, 'utf8')).toBe(HEADER);
});

it('reports immediately that the file cannot be written', async () => {
  await expect(ErrorFile.create(join(folder, 'none', 'errors.csv'))).rejects.toThrow(UsageError);
});
