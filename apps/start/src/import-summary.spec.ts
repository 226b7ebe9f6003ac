import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { BookReport } from './book-import';
import { type ImportedPart, summarizeImports } from './import-summary';
import { SAMPLE } from './sample';

const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');

/** The import of a part with the expected result. */
function imported(part: ImportedPart['part'], more: Partial<BookReport> = {}): ImportedPart {
  const { processed, refused, totals } = JSON.parse(
    readFileSync(join(EXAMPLES, basename(part.expected)), 'utf8'),
  ) as { processed: number; refused: Record<string, number>; totals: Record<string, number | string> };
  const measures = Object.entries(totals).map(([measure, expected]) => ({
    measure,
    expected,
    imported: expected,
    ...(measure === 'opening_balance' && { currency: 'GBP' }),
  }));
  const report = {
    already_imported: 0,
    refused,
    processed,
    corrected: 0,
    unchanged: 0,
    submission: { status: 'FINISHED', reconciliation: { reconciled: true, measures } },
    ...more,
  };
  return { part, report, errors: '.portage/book-errors.csv' };
}

const [demo, energy] = SAMPLE as [ImportedPart['part'], ImportedPart['part']];

describe('the summary of the sample', () => {
  it('has what was imported, what was refused and why, and the totals, with the plan of a second version, in 16 lines of at most 120 characters', () => {
    const added = { added: 54, existing: 9, failed: { late: 2 } };
    const parts = [imported(demo, { additions: { notes: added } }), imported(energy)];
    const plan = { would_create: 0, would_correct: 12, unchanged: 12, refused: 0 };
    const again = imported(energy, { plan, processed: 0, corrected: 12, unchanged: 12 });
    const lines = summarizeImports(parts, again);
    expect(lines.length).toBeLessThanOrEqual(16);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(120);
    const text = lines.join('\n').replaceAll(/ +/g, ' ');
    expect(text).toContain(
      'Imported 200 accounts of DEMO (profile core), 24 accounts of DEMO_GB (profile gb-energy)',
    );
    expect(text.replaceAll('\n', '')).toMatch(
      /Refused 12 accounts of DEMO.* in \.portage\/book-errors\.csv: 3 invalid, 2 parse_error, \w/,
    );
    expect(text).toContain('Added later 63 notes. 2 refused on purpose');
    expect(text).toContain(
      'Plan Create 0 · Correct 12 · Unchanged 12 · Refused 0 in a second version of the book of DEMO_GB\nCorrected 12 accounts of DEMO_GB, 12 unchanged\n',
    );
    expect(text).toContain(
      '\nReconciled DEMO expected imported DEMO_GB expected imported\naccounts 200 200 24 24\n',
    );
    expect(text).toContain('\nopening balance GBP -2681.05 -2681.05 -146.25 -146.25\n');
  });

  it('says that nothing is reconciled if one part is not', () => {
    const { submission } = imported(energy).report;
    const { measures } = submission!.reconciliation!;
    const differing = {
      submission: { status: 'FINISHED', reconciliation: { reconciled: false, measures } },
    };
    const text = summarizeImports([imported(demo), imported(energy, differing)]).join('\n');
    expect(text).toContain('\nNOT RECONCILED');
  });

  it('reconciles the second version of a book instead of the first', () => {
    const { submission } = imported(energy).report;
    const measures = submission!.reconciliation!.measures.map((one) => ({ ...one, imported: 0 }));
    const first = imported(energy, {
      submission: { status: 'FINISHED', reconciliation: { reconciled: true, measures } },
    });
    const again = imported(energy, { processed: 0, corrected: 12, unchanged: 12 });
    const text = summarizeImports([imported(demo), first], again)
      .join('\n')
      .replaceAll(/ +/g, ' ');
    expect(text).toContain('\naccounts 200 200 24 24\n');
    expect(text).toContain('\nCorrected 12 accounts of DEMO_GB earlier, 12 unchanged\n');
    expect(text).not.toContain('\nPlan ');
  });

  it('says which accounts were imported by an earlier start', () => {
    const again = { processed: 0, already_imported: 200 };
    expect(summarizeImports([imported(demo, again)])[0]).toMatch(
      /200 accounts of DEMO \(profile core\) earlier$/,
    );
  });
});
