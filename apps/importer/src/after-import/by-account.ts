import { type AfterImportLine } from './request-line';

/** Lines that are sent one after the other. */
export interface AccountLines {
  account: string;
  lines: AfterImportLine[];
}

/** A group is held in memory while it is sent. */
const MOST_LINES = 100;
const MOST_CHARACTERS = 1_000_000;

/**
 * Joins lines about the same account that follow each other, so that in a file sorted by account as many accounts are
 * under way at a time as there are lanes, not as many lines of a few.
 */
export async function* byAccount(lines: AsyncIterable<AfterImportLine>): AsyncGenerator<AccountLines> {
  let group: AccountLines | undefined;
  let characters = 0;
  for await (const line of lines) {
    const account = line.kind === 'request' ? line.account : '';
    const isFull = group !== undefined && (group.lines.length >= MOST_LINES || characters >= MOST_CHARACTERS);
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
