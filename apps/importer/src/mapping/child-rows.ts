import { Bits } from '../book/bits';
import { hashText } from '../book/hash-text';
import { type Place, SpillFile } from '../book/spill-file';
import { UsageError } from '../usage-error';
import { cellOf, type CsvFile, type CsvRow } from './csv-file';

/** Bytes of a source that are grouped in memory at a time. */
const PARTITION_BYTES = 4 * 1024 * 1024;

/** Characters of a partition that are written together. */
const BLOCK_CHARACTERS = 32 * 1024;

/** A row in a temporary file: its place in the order, its number and its cells. */
type StoredRow = [place: string, row: number, ...cells: string[]];

/** The groups of one partition, sorted by the hash of their keys. */
interface PartitionIndex {
  readonly hashes: Uint32Array;
  readonly at: Float64Array;
  readonly lengths: Uint32Array;
}

/**
 * The rows of a source by their key, in the order of the source. They are in a temporary file, where the rows of one key
 * are together; memory holds 16 bytes for each key.
 */
export class ChildRows {
  private readonly used = new Bits();
  /** The rows that were read last. */
  private last: { readonly key: string; readonly rows: readonly CsvRow[] } | undefined;

  private constructor(
    readonly file: CsvFile,
    private readonly groups: SpillFile,
    private readonly partitions: readonly PartitionIndex[],
  ) {}

  /**
   * Reads a whole file: first into partitions by the hash of the key, of which each fits into memory, and then partition
   * by partition into groups.
   *
   * @param stop ends the reading early
   * @param onRow sees each row
   * @throws UsageError if a cell of its order cannot be read
   */
  static async read(
    file: CsvFile,
    stop: AbortSignal,
    onRow: (row: CsvRow) => void = () => undefined,
  ): Promise<ChildRows> {
    const key = file.indexOf(file.settings.key) as number;
    const partitions = await Partitions.create(Math.ceil(file.size / PARTITION_BYTES) + 1);
    const groups = await SpillFile.create();
    try {
      for await (const row of file.rows()) {
        if (stop.aborted) break;
        onRow(row);
        partitions.add(cellOf(row, key), [placeOf(row, file), row.row, ...row.cells]);
      }
      const indexes = partitions
        .indexes()
        .map((index) => groupPartition(partitions.rowsOf(index), key, groups));
      return new ChildRows(file, groups, indexes);
    } catch (error) {
      await groups.close();
      throw error;
    } finally {
      await partitions.close();
    }
  }

  rowsOf(key: string): readonly CsvRow[] {
    if (this.last?.key === key) return this.last.rows;
    const rows = this.find(key);
    for (const { row } of rows) this.used.add(row);
    this.last = { key, rows };
    return rows;
  }

  /** The rows that nothing has asked for, in the order of the file. */
  async *orphans(): AsyncGenerator<CsvRow> {
    for await (const row of this.file.rows()) if (!this.used.has(row.row)) yield row;
  }

  async close(): Promise<void> {
    await this.groups.close();
  }

  private find(key: string): readonly CsvRow[] {
    const hash = hashText(key);
    const { hashes, at, lengths } = this.partitions[hash % this.partitions.length] as PartitionIndex;
    const keyIndex = this.file.indexOf(this.file.settings.key) as number;
    for (let index = findFirst(hashes, hash); hashes[index] === hash; index += 1) {
      const text = this.groups.read({ at: at[index] as number, length: lengths[index] as number });
      const rows = (JSON.parse(text) as [number, ...string[]][]).map(([row, ...cells]) => ({ row, cells }));
      // Keys with the same hash are told apart.
      if (cellOf(rows[0] as CsvRow, keyIndex) === key) return rows;
    }
    return [];
  }
}

/** Rows by the hash of their key, in one temporary file. */
class Partitions {
  private readonly pending: { texts: string[]; length: number }[];
  private readonly blocks: Place[][];

  private constructor(
    private readonly spill: SpillFile,
    private readonly count: number,
  ) {
    this.pending = Array.from({ length: count }, () => ({ texts: [], length: 0 }));
    this.blocks = Array.from({ length: count }, () => []);
  }

  static async create(count: number): Promise<Partitions> {
    return new Partitions(await SpillFile.create(), count);
  }

  add(key: string, row: StoredRow): void {
    const index = hashText(key) % this.count;
    const pending = this.pending[index] as (typeof this.pending)[number];
    const text = JSON.stringify(row);
    pending.texts.push(text);
    pending.length += text.length;
    if (pending.length >= BLOCK_CHARACTERS) this.write(index);
  }

  indexes(): number[] {
    return this.blocks.map((_, index) => index);
  }

  /** The rows of a partition, in the order in which they were added. */
  rowsOf(index: number): StoredRow[] {
    this.write(index);
    return (this.blocks[index] as Place[]).flatMap(
      (place) => JSON.parse(this.spill.read(place)) as StoredRow[],
    );
  }

  async close(): Promise<void> {
    await this.spill.close();
  }

  private write(index: number): void {
    const { texts } = this.pending[index] as (typeof this.pending)[number];
    if (texts.length === 0) return;
    (this.blocks[index] as Place[]).push(this.spill.append(`[${texts.join(',')}]`));
    this.pending[index] = { texts: [], length: 0 };
  }
}

/** Writes the rows of a partition group by group. Rows that are equal in the order keep that of the file. */
function groupPartition(rows: readonly StoredRow[], keyIndex: number, groups: SpillFile): PartitionIndex {
  const byKey = new Map<string, StoredRow[]>();
  for (const row of rows) {
    const key = (row[keyIndex + 2] as string).trim();
    const group = byKey.get(key);
    if (group) group.push(row);
    else byKey.set(key, [row]);
  }
  const written = [...byKey].map(([key, group]) => {
    group.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    return { hash: hashText(key), ...groups.append(JSON.stringify(group.map(([, ...row]) => row))) };
  });
  written.sort((one, other) => one.hash - other.hash);
  return {
    hashes: Uint32Array.from(written, ({ hash }) => hash),
    at: Float64Array.from(written, ({ at }) => at),
    lengths: Uint32Array.from(written, ({ length }) => length),
  };
}

/** The first index whose value is not smaller. */
function findFirst(sorted: Uint32Array, value: number): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Where a row is in the order of its source; rows without an order are equal. */
function placeOf(row: CsvRow, source: CsvFile): string {
  const { order, file } = source.settings;
  if (order === undefined) return '';
  const cell = cellOf(row, source.indexOf(order.column) as number);
  const place = order.read === undefined || cell === '' ? cell : order.read(cell);
  if (place === undefined)
    throw new UsageError(
      `${file}, row ${row.row}, ${order.column}: ${JSON.stringify(cell)} is not in the form that order gives.`,
    );
  return place;
}
