import type { Page, PageRequest } from '@portage/operators';
import { print } from './standard-output';

const PAGE_ROWS = 500;

/** How a list is printed. */
export interface ListFormat<Item> {
  asJson: boolean;
  line: (item: Item) => string;
  /** The sentence for a list without items. */
  none: string;
  /** What the last line counts, such as `processes`; without it there is no such line. */
  counted?: string;
}

/**
 * Prints the items of a list as they are read, because a list can have millions: as one JSON value, or a line for each. Ends
 * when the reader closes the pipe.
 */
export async function printList<Item>(
  chunks: AsyncIterable<readonly Item[]>,
  { asJson, line, none, counted }: ListFormat<Item>,
): Promise<void> {
  let count = 0;
  for await (const items of chunks) {
    if (items.length === 0) continue;
    const separator = count === 0 ? '[' : ',';
    const text = asJson
      ? `${separator}\n  ${items.map((item) => JSON.stringify(item)).join(',\n  ')}`
      : items.map((item) => `${line(item)}\n`).join('');
    if (!(await print(text))) return;
    count += items.length;
  }
  if (asJson) await print(count === 0 ? '[]\n' : '\n]\n');
  else if (count === 0) await print(`${none}\n`);
  else if (counted !== undefined) await print(`${count} ${counted}\n`);
}

/** Reads all pages of a list of the operator API. */
export async function* readPages<Item>(
  read: (page: PageRequest) => Promise<Page<Item>>,
): AsyncGenerator<Item[]> {
  let cursor: string | undefined;
  do {
    const page: Page<Item> = await read({ limit: PAGE_ROWS, cursor });
    yield page.items;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
}

/** The first `max` items of a list. Reads no further. */
export async function* takeFirst<Item>(max: number, chunks: AsyncIterable<Item[]>): AsyncGenerator<Item[]> {
  let left = max;
  for await (const items of chunks) {
    yield items.slice(0, left);
    left -= items.length;
    if (left <= 0) return;
  }
}
