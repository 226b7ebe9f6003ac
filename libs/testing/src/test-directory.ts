import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a directory for one test. It is removed at the end of this run of jest. */
export function newDirectory(): string {
  return mkdtempSync(join(process.env['PORTAGE_TEST_DIRECTORY'] ?? tmpdir(), 'portage-'));
}
