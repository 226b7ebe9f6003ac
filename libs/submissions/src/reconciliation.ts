import { isAmount, isInMinorUnits, type Measure, MEASURES, type MeasureValues } from '@portage/imports';
import { formatMoney, type Money, parseMoney } from '@portage/platform';
import type { ReconciledMeasureView } from './submissions.dto';

/** A sum for each measure: counts, and amounts in hundredths. */
export type MeasureTotals = Record<Measure, bigint>;

/** What a reconciliation compares. */
export interface ReconciliationSums {
  /** Of all lines, as they were sent. */
  received: MeasureTotals;
  /** Of the lines that were refused, and of those whose process has ended in an error or was cancelled. */
  refusedOrErrored: MeasureTotals;
  /** Of the rows that the imports have written, as they are stored now. */
  imported: MeasureTotals;
  /** Of the lines whose account was erased since, whose rows can therefore not be counted. */
  erased: MeasureTotals;
  /** Of the lines whose account was corrected by others since, so that its rows are not those of the line any more. */
  correctedSinceTotals: MeasureTotals;
  /** Of the lines whose account had a successful rehearsal. Zero unless the submission is a rehearsal. */
  wouldBeImported: MeasureTotals;
  /** Of the imported documents, those that were not found so far. */
  missingDocuments: number;
}

/** The result of a reconciliation. */
export interface Reconciliation {
  reconciled: boolean;
  measures: ReconciledMeasureView[];
}

/** Digits before the decimal point of a control total: those of a balance, and those of a count of accounts. */
const TOTAL_DIGITS = 24;

/**
 * Compares what a supplier expected with what was received and imported.
 *
 * The difference of a measure is `imported + would_be_imported + erased + corrected_since - expected`. Where nothing is expected,
 * `received - refused_or_errored` takes its place. A submission is reconciled if every difference is zero, every measure
 * has as much imported, or rehearsed, as was received and not refused, at least one account is, and `isFinished`.
 *
 * @param expected the control totals that the supplier stated
 * @throws RangeError if an expected amount is not decimal text, which opening a submission excludes
 */
export function reconcile(
  expected: Partial<MeasureValues>,
  sums: ReconciliationSums,
  currency: string,
  isFinished: boolean,
): Reconciliation {
  const { received, refusedOrErrored, imported, erased, wouldBeImported, correctedSinceTotals } = sums;
  let isReconciled =
    isFinished &&
    imported.accounts + wouldBeImported.accounts + erased.accounts + correctedSinceTotals.accounts > 0n;
  const measures = MEASURES.map((measure): ReconciledMeasureView => {
    const found =
      imported[measure] + wouldBeImported[measure] + erased[measure] + correctedSinceTotals[measure];
    const due = received[measure] - refusedOrErrored[measure];
    const stated = expected[measure];
    const difference = found - (stated === undefined ? due : toTotal(measure, stated));
    if (difference !== 0n || found !== due) isReconciled = false;
    const show = (total: bigint) => (isAmount(measure) ? formatMoney(total) : Number(total));
    return {
      measure,
      ...((isAmount(measure) || isInMinorUnits(measure)) && { currency }),
      ...(isInMinorUnits(measure) && { unit: 'minor' }),
      expected: stated ?? null,
      received: show(received[measure]),
      imported: show(imported[measure]),
      would_be_imported: show(wouldBeImported[measure]),
      refused_or_errored: show(refusedOrErrored[measure]),
      erased: show(erased[measure]),
      corrected_since: show(correctedSinceTotals[measure]),
      difference: show(difference),
      ...(measure === 'documents' && { missing: sums.missingDocuments }),
    };
  });
  return { reconciled: isReconciled, measures };
}

function toTotal(measure: Measure, stated: number | string): Money {
  if (!isAmount(measure)) return BigInt(stated);
  const amount = parseMoney(String(stated), TOTAL_DIGITS);
  if (amount === undefined) throw new RangeError('An expected amount must be decimal text.');
  return amount;
}
