import type { FieldError } from '@portage/client';
import { Bits } from '../book/bits';
import { type Place, SpillFile } from '../book/spill-file';
import type { ErrorList } from '../run/error-file';
import { noRejectedLines, type RejectedLines } from '../run/rejected-lines';

/** An error in the spill file, with the place of the error before it of the same line. */
type StoredError = [error: FieldError, before: Place | null];

/**
 * What has become of each line of a book, for a list in the words of the line's source. Memory holds some bytes for each
 * line; errors are in a temporary file.
 */
export class LineOutcomes {
  /** True once the results of all submissions were read. */
  isComplete = false;
  /** Takes the errors of lines. Lines that the service has not seen have no outcome besides. */
  readonly errors: ErrorList = {
    add: ({ line }, stage, error) => {
      if (stage !== 'differing') this.outcomes[line] ??= stage;
      const stored: StoredError = [error, this.places[line] ?? null];
      this.places[line] = this.spill.append(JSON.stringify(stored));
    },
    close: () => Promise.resolve(),
  };
  /** Takes the lines that were not imported, so that their rows are to be corrected and sent again. */
  readonly rejected: RejectedLines = {
    ...noRejectedLines,
    add: (line) => {
      this.rejectedLines.add(line);
    },
  };
  private readonly rejectedLines = new Bits();
  private readonly outcomes: string[] = [];
  /** The place of the last error of a line. */
  private readonly places: (Place | undefined)[] = [];

  private constructor(private readonly spill: SpillFile) {}

  static async create(): Promise<LineOutcomes> {
    return new LineOutcomes(await SpillFile.create());
  }

  /** A line that is sent again keeps its first outcome. */
  record(line: number, outcome: string): void {
    if (outcome !== 'repeated' || this.outcomes[line] === undefined) this.outcomes[line] = outcome;
  }

  outcomeOf(line: number): string | undefined {
    return this.outcomes[line];
  }

  errorsOf(line: number): FieldError[] {
    const errors: FieldError[] = [];
    for (let place = this.places[line] ?? null; place !== null;) {
      const [error, before] = JSON.parse(this.spill.read(place)) as StoredError;
      errors.unshift(error);
      place = before;
    }
    return errors;
  }

  isRejected(line: number): boolean {
    return this.rejectedLines.has(line);
  }

  async close(): Promise<void> {
    await this.spill.close();
  }
}
