import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXAMPLE, FIRST_FAULTY_SERIAL, SampleText, serialOf } from './renumber';

/** The options of a book. */
export interface SampleBookOptions {
  /** Number of valid accounts. */
  accounts: number;
  faulty: number;
  seed: number;
  supplier: string;
}

/** The result that a correct service gives for a book. */
interface ExpectedResult {
  accounts: number;
  processed: number;
  /** Refused accounts by the code of their first error. */
  refused: Record<string, number>;
}

/** The code of the only error of each faulty account in `examples`, in the order of their serial numbers. */
const FAULT_CODES = [
  'invalid_phone_number',
  'invalid',
  'required',
  'max_length',
  'invalid',
  'invalid_postcode',
  'null',
  'invalid_choice',
  'not_a_list',
  'parse_error',
  'parse_error',
  'invalid',
];

/**
 * Books of any size: the accounts of `examples/book.ndjson`, repeated under numbers of their own. The same options give
 * the same bytes, and with its seed and supplier the first accounts are those of the file.
 */
export class SampleBook {
  private readonly valid: SampleText[] = [];
  private readonly faulty: SampleText[] = [];

  /** @param examples path of the folder `examples` */
  constructor(examples: string) {
    for (const line of readFileSync(join(examples, 'book.ndjson'), 'utf8').trimEnd().split('\n')) {
      const serial = serialOf(line);
      const text = new SampleText(line, { ...EXAMPLE, serial });
      if (serial < FIRST_FAULTY_SERIAL) this.valid[serial] = text;
      else this.faulty[serial - FIRST_FAULTY_SERIAL] = text;
    }
  }

  /** The lines of a book, each with its line feed: valid accounts, and faulty ones evenly among them. */
  *lines({ accounts, faulty, ...numbering }: SampleBookOptions): Generator<string> {
    const total = accounts + faulty;
    for (let line = 0; line < total; line += 1) {
      const faultyBefore = Math.floor((line * faulty) / total);
      const isFaulty = Math.floor(((line + 1) * faulty) / total) > faultyBefore;
      yield isFaulty
        ? `${this.repeat(this.faulty, FIRST_FAULTY_SERIAL, faultyBefore, numbering)}\n`
        : `${this.repeat(this.valid, 0, line - faultyBefore, numbering)}\n`;
    }
  }

  /** The valid account with this serial number, which is the same in every book with this seed and supplier. */
  account(numbering: Pick<SampleBookOptions, 'seed' | 'supplier'>, serial: number): Record<string, unknown> {
    const value = JSON.parse(this.repeat(this.valid, 0, serial, numbering)) as Record<string, unknown>;
    return (value['payload'] as Record<string, unknown> | undefined) ?? value;
  }

  private repeat(
    texts: readonly SampleText[],
    firstSerial: number,
    nth: number,
    { seed, supplier }: Pick<SampleBookOptions, 'seed' | 'supplier'>,
  ): string {
    return texts[nth % texts.length]?.under({ seed, supplier, serial: firstSerial + nth }) ?? '';
  }
}

/** The result that a correct service gives for the book with these options. */
export function expectedResult({ accounts, faulty }: SampleBookOptions): ExpectedResult {
  const refused: Record<string, number> = {};
  for (let nth = 0; nth < faulty; nth += 1) {
    const code = FAULT_CODES[nth % FAULT_CODES.length] ?? '';
    refused[code] = (refused[code] ?? 0) + 1;
  }
  return { accounts: accounts + faulty, processed: accounts, refused };
}
