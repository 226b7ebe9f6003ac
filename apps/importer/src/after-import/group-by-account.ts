import type { AfterImportLine } from './request-line';

/** Consecutive lines of one account, which are sent one after the other. */
export interface AccountLines {
  account: string;
  lines: AfterImportLine[];
}

/** Limits of a group, because it is held in memory while it is sent. */
const MAX_GROUP_LINES = 100;
const MAX_GROUP_CHARACTERS = 1_000_000;

/**
 * Groups consecutive lines of the same account. Otherwise, in a file sorted by account, the lines of a few accounts
 * would occupy the whole concurrency and wait for each other.
 */
export async function* groupByAccount(lines: AsyncIterable<AfterImportLine>): AsyncGenerator<AccountLines> {
  let group: AccountLines | undefined;
  let characters = 0;
  for await (const line of lines) {
    const account = line.kind === 'request' ? line.account : '';
    const isFull =
      group !== undefined && (group.lines.length >= MAX_GROUP_LINES || characters >= MAX_GROUP_CHARACTERS);
    if (group !== undefined && (group.account !== account || isFull)) {
      yield group;
      group = undefined;
    }
    if (group === undefined) {
      group = { account, lines: [] };
      characters = 0;
    }
    group.lines.push(line);
    characters += line.kind === 'request' ? line.body.length : 0;
  }
  if (group !== undefined) yield group;
}
