import { createWriteStream } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { REPOSITORY } from '@portage/testing/built-programs';
import { mpan } from '@portage/testing/sample-book';

/** Rows that are written together. */
const ROWS = 1_000;

/** Coprime to any number of accounts here, so that the rows of other files are in another order. */
const STRIDE = 7_919;

/**
 * Writes an export of any size with the columns of examples/mapping, and its mapping: households with meter readings.
 *
 * @returns the path of the mapping file
 */
export async function writeExport(
  folder: string,
  { accounts, readings }: { accounts: number; readings: number },
): Promise<string> {
  const mapping = join(folder, 'mapping.yaml');
  await copyFile(join(REPOSITORY, 'examples/mapping/mapping.yaml'), mapping);
  const header =
    'CUSTNO;TYPE;TITLE;FORENAME;SURNAME;COMPANY;COMPNO;TEL;EMAIL;ADDR1;TOWN;PCODE;START;BALANCE;BRANCH';
  await write(join(folder, 'accounts.csv'), header, accounts, (nth) => accountRow(nth));
  const columns = 'CUSTNO;MPAN;SERIAL;FROM;REG;READ_DATE;READING;READ_TYPE';
  await write(join(folder, 'readings.csv'), columns, accounts * readings, (nth) => {
    const account = (nth * STRIDE) % accounts;
    return readingRow(account, Math.floor(nth / accounts));
  });
  return mapping;
}

async function write(
  path: string,
  header: string,
  count: number,
  rowOf: (nth: number) => string,
): Promise<void> {
  const chunks = function* () {
    yield `${header}\n`;
    for (let from = 0; from < count; from += ROWS) {
      const rows = Array.from({ length: Math.min(ROWS, count - from) }, (_, nth) => rowOf(from + nth));
      yield Buffer.from(`${rows.join('\n')}\n`, 'latin1');
    }
  };
  await pipeline(Readable.from(chunks()), createWriteStream(path));
}

function accountRow(nth: number): string {
  const balance = `${nth % 900},${String(nth % 100).padStart(2, '0')}`;
  const name = `Zo\u00eb${nth};Aldous`;
  const address = `${nth % 99} Weir Cottages;Much Harrowby;HR99 2RW`;
  return `${keyOf(nth)};D;Mrs;${name};;;07400 12${String(nth % 10_000).padStart(4, '0')};zoe${nth}@example.org;${address};12/02/2021;${balance};N1`;
}

function readingRow(account: number, nth: number): string {
  const identifier = mpan(`10${String(account).padStart(10, '0')}`);
  const day = `01/${String((nth % 12) + 1).padStart(2, '0')}/20${24 + Math.floor(nth / 12)}`;
  return `${keyOf(account)};${identifier};Z22A${String(account).padStart(6, '0')};12/02/2021;R1;${day};${40_000 + nth * 10};S`;
}

function keyOf(nth: number): string {
  return String(10_000_000 + nth);
}
