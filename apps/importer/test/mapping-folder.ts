import { systemClock } from '@portage/client';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newDirectory } from '@portage/testing/test-directory';
import { type MapOutcome, mapAccounts } from '../src/mapping/map-accounts';
import { type Mapping, readMapping } from '../src/mapping/mapping';
import type { BookKind } from '../src/book/book-line';
import { type MapContext, Mapper } from '../src/mapping/mapper';

/** The day of all tests. */
export const NOW = new Date('2026-11-27T12:00:00Z');

/** A run without progress that is not stopped. */
export const QUIET: MapContext = {
  stop: { signal: new AbortController().signal },
  progress: { show: () => undefined, note: () => undefined, end: () => undefined },
  progressEveryMs: 1000,
  clock: systemClock,
};

/** A temporary folder with a mapping file and its sources. */
export class MappingFolder {
  readonly path = newDirectory();

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string | Buffer): void {
    writeFileSync(this.at(name), content);
  }

  read(name: string): Buffer {
    return readFileSync(this.at(name));
  }

  async mapping(yaml: string, kind?: BookKind): Promise<Mapping> {
    this.write('mapping.yaml', yaml);
    return readMapping(this.at('mapping.yaml'), kind);
  }

  /** Maps everything. */
  async map(
    yaml: string,
    { rows, kind }: { rows?: number; kind?: BookKind } = {},
  ): Promise<MapOutcome & { mapper: Mapper; book: unknown[] }> {
    const book: unknown[] = [];
    const mapper = await Mapper.open(await this.mapping(yaml, kind), NOW, QUIET);
    try {
      const writeLine = (line: string) => {
        book.push(JSON.parse(line));
      };
      return { ...(await mapAccounts(mapper, { writeLine, rows }, QUIET)), mapper, book };
    } finally {
      await mapper.close();
    }
  }

  /** The account of the first row, before it is validated. */
  async buildFirst(yaml: string): Promise<unknown> {
    const mapper = await Mapper.open(await this.mapping(yaml), NOW, QUIET);
    try {
      for await (const row of mapper.mapping.accounts.rows()) return mapper.build(row).lines[0]?.value;
      return undefined;
    } finally {
      await mapper.close();
    }
  }
}
