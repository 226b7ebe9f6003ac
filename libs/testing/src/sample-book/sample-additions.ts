import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE, SampleText, serialOf } from './renumber';
import type { SampleBookOptions } from './sample-book';

/** The options of the book that the book of additions belongs to. */
export type SampleAdditionsOptions = Pick<SampleBookOptions, 'accounts' | 'seed' | 'supplier'>;

/** What the lines of one kind add, as the importer counts it. */
interface AdditionCounts {
  lines: number;
  added: number;
  existing: number;
  different: number;
  moved: number;
  /** Lines that add nothing, by code. */
  failed: Record<string, number>;
}

type Body = Partial<Record<'notes' | 'transactions' | 'statements', object[]>> & { reference?: string };

/** The member of a line that is its kind has the body. */
type SampleLine = Record<string, Body> & { force_add_to_current_statement?: boolean };

/** The accounts of `examples/book.ndjson`, after which its requests are repeated for others. */
const EXAMPLE_ACCOUNTS = 200;

/** The lines of `examples/additions.ndjson`, repeated for the accounts of books of any size. */
export class SampleAdditions {
  /** The lines of each account, by its serial number in `examples`. */
  private readonly linesOf = new Map<number, SampleText[]>();

  /** @param examples path of the folder `examples` */
  constructor(examples: string) {
    for (const line of readFileSync(join(examples, 'additions.ndjson'), 'utf8').trimEnd().split('\n')) {
      const serial = serialOf(line);
      const text = new SampleText(line, { ...EXAMPLE, serial });
      this.linesOf.set(serial, [...(this.linesOf.get(serial) ?? []), text]);
    }
  }

  /** The lines of the book of additions of a book, each with its line feed. */
  *lines(options: SampleAdditionsOptions): Generator<string> {
    for (const lines of this.accounts(options)) for (const line of lines) yield `${line}\n`;
  }

  /** The summary that a correct service gives when the file is sent for the first time. */
  expected(options: SampleAdditionsOptions): Record<string, AdditionCounts> {
    const counts: Record<string, AdditionCounts> = {};
    for (const lines of this.accounts(options)) {
      const known = new Set<string>();
      for (const text of lines) {
        const line = JSON.parse(text) as SampleLine;
        const [kind = '', body = {}] = (Object.entries(line) as [string, Body][])[0] ?? [];
        countLine(body, refusalOf(line, body), known, (counts[kind] ??= emptyCounts()));
      }
    }
    return counts;
  }

  /** The lines of one account after the other. */
  private *accounts({ accounts, seed, supplier }: SampleAdditionsOptions): Generator<string[]> {
    for (let serial = 0; serial < accounts; serial += 1) {
      const example = serial % EXAMPLE_ACCOUNTS;
      const lines = (this.linesOf.get(example) ?? []).map((text) => text.under({ seed, supplier, serial }));
      // The vendor fails for one card before it answers. The retries take seconds, so a book has it once.
      yield serial === example ? lines : lines.map((line) => line.replace('sandboxFlaky', 'sandboxVisa'));
    }
  }
}

/** @param known the items that the account has, to which those of the line are added */
function countLine(body: Body, refusal: string | undefined, known: Set<string>, count: AdditionCounts): void {
  count.lines += 1;
  if (refusal !== undefined) {
    count.failed[refusal] = (count.failed[refusal] ?? 0) + 1;
    return;
  }
  for (const item of body.notes ?? body.transactions ?? body.statements ?? [body]) {
    const text = JSON.stringify(item);
    if (known.has(text)) count.existing += 1;
    else count.added += 1;
    known.add(text);
  }
}

/** The code with which the service refuses the line, if it does: the sandbox of the vendors knows it by its reference. */
function refusalOf(
  { force_add_to_current_statement: force }: SampleLine,
  { reference = '' }: Body,
): string | undefined {
  if (force === false) return 'transaction_outside_open_statement_period';
  if (reference.includes('Expired')) return 'instruction_expired';
  if (reference.includes('NotFound')) return 'instruction_not_found';
  return reference.includes('CANCELLED') ? 'instruction_cancelled' : undefined;
}

function emptyCounts(): AdditionCounts {
  return { lines: 0, added: 0, existing: 0, different: 0, moved: 0, failed: {} };
}
