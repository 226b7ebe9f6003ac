import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PAGE = join(__dirname, '..', '..', 'docs', 'security.md');

/**
 * Replaces a table in docs/security.md, between the comments `<!-- table: name -->` and `<!-- end: name -->`.
 *
 * @throws Error if the page has no such comments
 */
export function writeTable(name: string, table: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [start, end] = [`<!-- table: ${name} -->`, `<!-- end: ${name} -->`];
  const [before, rest = ''] = page.split(start);
  const [, after] = rest.split(end);
  if (before === undefined || after === undefined)
    throw new Error(`docs/security.md has no comments ${start} and ${end}.`);
  writeFileSync(PAGE, `${before}${start}\n\n${table}\n\n${end}${after}`);
}
