import { readFile } from 'node:fs/promises';

/** The rows of an error list, without its header and the quotation marks of its fields. */
export async function readRows(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n');
  return lines.slice(1).map((line) => line.replace(/^"|"$/g, '').replaceAll('","', ','));
}
