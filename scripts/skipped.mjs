// What the suites of a run could not test on this machine: libs/testing/src/announce-skipped.ts writes a line for each.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'portage-skipped-'));
const file = join(folder, 'lines');
process.once('exit', () => rmSync(folder, { recursive: true }));

/** The environment of a run. */
export const environment = { SKIPPED_FILE: file };

/** Prints what was skipped, each once. @returns the number */
export function printSkipped() {
  const lines = existsSync(file) ? new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean)) : [];
  for (const line of lines) process.stdout.write(`${line}\n`);
  return [...lines].length;
}
