import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AfterImportSummary, EndpointSummary } from '../after-import/after-import-tally';
import type { Endpoint } from '../after-import/request-line';
import { EXAMPLE, SampleText, serialOf } from './renumber';
import type { SampleBookOptions } from './sample-book';

/** The options of the book that the after-import file belongs to. */
export type SampleAfterImportOptions = Pick<SampleBookOptions, 'accounts' | 'seed' | 'supplier'>;

interface SampleRequest {
  endpoint: Endpoint;
  query?: { force_add_to_current_statement?: boolean };
  body: Record<'notes' | 'transactions' | 'statements', object[] | undefined> & { reference?: string };
}

/** The accounts of `examples/book.ndjson`, after which its requests are repeated for others. */
const EXAMPLE_ACCOUNTS = 200;

/** The requests of `examples/after-import.ndjson`, repeated for the accounts of books of any size. */
export class SampleAfterImport {
  /** The lines of each account, by its serial number in `examples`. */
  private readonly linesOf = new Map<number, SampleText[]>();

  /** @param examples path of the folder `examples` */
  constructor(examples: string) {
    for (const line of readFileSync(join(examples, 'after-import.ndjson'), 'utf8').trimEnd().split('\n')) {
      const serial = serialOf(line);
      const text = new SampleText(line, { ...EXAMPLE, serial });
      this.linesOf.set(serial, [...(this.linesOf.get(serial) ?? []), text]);
    }
  }

  /** The lines of the after-import file of a book, each with its line feed. */
  *lines(options: SampleAfterImportOptions): Generator<string> {
    for (const lines of this.accounts(options)) for (const line of lines) yield `${line}\n`;
  }

  /** The summary that a correct service gives when the file is sent for the first time. */
  expected(options: SampleAfterImportOptions): AfterImportSummary {
    const summary: AfterImportSummary = {};
    for (const lines of this.accounts(options)) {
      const known = new Set<string>();
      for (const line of lines) {
        const request = JSON.parse(line) as SampleRequest;
        countRequest(request, known, (summary[request.endpoint] ??= emptySummary()));
      }
    }
    return summary;
  }

  /** The lines of one account after the other. */
  private *accounts({ accounts, seed, supplier }: SampleAfterImportOptions): Generator<string[]> {
    for (let serial = 0; serial < accounts; serial += 1) {
      const example = serial % EXAMPLE_ACCOUNTS;
      const lines = (this.linesOf.get(example) ?? []).map((text) => text.under({ seed, supplier, serial }));
      // The vendor fails for one card before it answers. The retries take seconds, so a book has it once.
      yield serial === example ? lines : lines.map((line) => line.replace('sandboxFlaky', 'sandboxVisa'));
    }
  }
}

/** @param known the items that the account has, to which those of the request are added */
function countRequest(request: SampleRequest, known: Set<string>, count: EndpointSummary): void {
  const { body } = request;
  count.requests += 1;
  const refusal = refusalOf(request);
  if (refusal !== undefined) {
    count.refused[refusal] = (count.refused[refusal] ?? 0) + 1;
    return;
  }
  for (const item of body.notes ?? body.transactions ?? body.statements ?? [body]) {
    const text = JSON.stringify(item);
    if (known.has(text)) count.already_there += 1;
    else count.added += 1;
    known.add(text);
  }
}

/** The code with which the service refuses the request, if it does: the sandbox of the vendors knows it by its reference. */
function refusalOf({ query, body: { reference = '' } }: SampleRequest): string | undefined {
  if (query?.force_add_to_current_statement === false) return 'transaction_outside_open_statement_period';
  if (reference.includes('Expired')) return 'instruction_expired';
  if (reference.includes('NotFound')) return 'instruction_not_found';
  return reference.includes('CANCELLED') ? 'instruction_cancelled' : undefined;
}

function emptySummary(): EndpointSummary {
  return { requests: 0, added: 0, already_there: 0, refused: {}, failed: 0 };
}
