import type { Page, PageRequest } from '@portage/operators';

const PAGE_ROWS = 500;

/** Reads all pages of a list, one after the other. */
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
