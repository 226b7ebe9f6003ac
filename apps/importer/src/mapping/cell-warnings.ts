import { DigitCounts, type Doubt, doubtAbout, DOUBTS } from './doubtful-text';
import { quoteValue } from './quote-value';

/** Counts the cells of a file that look as if something had gone wrong before, by column. */
export class CellWarnings {
  private readonly digits: readonly DigitCounts[];
  private readonly found = new Map<
    string,
    { column: string; doubt: Doubt; count: number; row: number; text: string }
  >();

  constructor(
    private readonly file: string,
    private readonly columns: readonly string[],
  ) {
    this.digits = columns.map((column) => new DigitCounts(column));
  }

  /** Takes the next row. */
  add(row: number, cells: readonly string[]): void {
    for (const [index, column] of this.columns.entries()) {
      const text = (cells[index] as string).trim();
      if (text === '') continue;
      this.digits[index]?.add(text, row);
      const doubt = doubtAbout(text);
      if (doubt !== undefined) this.count(column, doubt, row, text);
    }
  }

  /** A line for each column and kind, with the first place. */
  describe(): string[] {
    const zeros = this.digits.flatMap((digits, index) => {
      const lost = digits.lostZeros();
      const column = this.columns[index] as string;
      return lost === undefined ? [] : [{ ...lost, column, doubt: 'lost_zeros' as const }];
    });
    return [...this.found.values(), ...zeros].map(
      ({ column, doubt, count, row, text }) =>
        `${count} × ${this.file} row ${row}, ${column} ${quoteValue(text)}: ${doubt}. It ${DOUBTS[doubt]}.`,
    );
  }

  private count(column: string, doubt: Doubt, row: number, text: string): void {
    const kind = `${column}\n${doubt}`;
    const known = this.found.get(kind);
    if (known) known.count += 1;
    else this.found.set(kind, { column, doubt, count: 1, row, text });
  }
}
