import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MapOutcome, mapAccounts } from '../src/mapping/map-accounts';
import { type Mapping, readMapping } from '../src/mapping/mapping';
import { noRejectedRows } from '../src/mapping/rejected-rows';

/** The day of all tests. */
export const NOW = new Date('2026-11-27T12:00:00Z');

/** A temporary folder with a mapping file and its sources. */
export class MappingFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'portage-mapping-'));

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Buffer): void {
    writeFileSync(this.at(name), content);
  }

  read(name: string): Buffer {
    return readFileSync(this.at(name));
  }

  async mapping(yaml: string): Promise<Mapping> {
    this.write('mapping.yaml', yaml);
    return readMapping(this.at('mapping.yaml'));
  }

  /** Maps everything. */
  async map(yaml: string, rows?: number): Promise<MapOutcome & { book: unknown[] }> {
    const book: unknown[] = [];
    const outcome = await mapAccounts(await this.mapping(yaml), {
      writeAccount: (line) => {
        book.push(JSON.parse(line));
        return Promise.resolve();
      },
      rejected: noRejectedRows,
      rows,
      now: NOW,
    });
    return { ...outcome, book };
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
