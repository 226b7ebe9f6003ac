import type { Measure, MeasureKind } from '@portage/imports';
import { formatMoney, type Money, parseMoney } from '@portage/platform';
import type { ReconciledMeasureView } from './reconciliation.dto';

/** A sum for each measure: counts, and amounts in hundredths. */
export type Totals<Name extends string> = Record<Name, bigint>;

/** The sums of the measures of accounts. */
export type MeasureTotals = Totals<Measure>;

/** The sums of nothing. */
export function noTotals<Name extends string>(measures: readonly Name[]): Totals<Name> {
  return Object.fromEntries(measures.map((measure) => [measure, 0n])) as Totals<Name>;
}

/** What a reconciliation compares. */
export interface ReconciliationSums<Name extends string = Measure> {
  /** Of all lines, as they were sent. */
  received: Totals<Name>;
  /** Of the lines that were refused, and of those whose process has ended in an error or was cancelled. */
  refusedOrErrored: Totals<Name>;
  /** Of the rows that the imports have written, as they are stored now. */
  imported: Totals<Name>;
  /** Of the lines whose account was erased since, whose rows can therefore not be counted. */
  erased: Totals<Name>;
  /** Of the lines whose account was corrected by others since, so that its rows are not those of the line any more. */
  correctedSinceTotals: Totals<Name>;
  /** Of the lines whose account had a successful rehearsal. Zero unless the submission is a rehearsal. */
  wouldBeImported: Totals<Name>;
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
 * has as much imported, or rehearsed, as was received and not refused, at least one account or line is, and `isFinished`.
 *
 * @param kinds the measures, in the order in which they are shown; the first one counts accounts or lines
 * @param expected the control totals that the supplier stated
 * @throws RangeError if an expected amount is not decimal text, which opening a submission excludes
 */
export function reconcile<Name extends ReconciledMeasureView['measure']>(
  kinds: Readonly<Record<Name, MeasureKind>>,
  expected: Partial<Record<Name, number | string>>,
  sums: ReconciliationSums<Name>,
  currency: string,
  isFinished: boolean,
): Reconciliation {
  const { received, refusedOrErrored, imported, erased, wouldBeImported, correctedSinceTotals } = sums;
  const names = Object.keys(kinds) as Name[];
  const foundOf = (measure: Name): bigint =>
    imported[measure] + wouldBeImported[measure] + erased[measure] + correctedSinceTotals[measure];
  let isReconciled = isFinished && names[0] !== undefined && foundOf(names[0]) > 0n;
  const measures = names.map((measure): ReconciledMeasureView => {
    const kind = kinds[measure];
    const found = foundOf(measure);
    const [sent, refused]: [bigint, bigint] = [received[measure], refusedOrErrored[measure]];
    const due = sent - refused;
    const stated: number | string | undefined = expected[measure];
    const difference = found - (stated === undefined ? due : toTotal(kind, stated));
    if (difference !== 0n || found !== due) isReconciled = false;
    const show = (total: bigint) => (kind === 'amount' ? formatMoney(total) : Number(total));
    return {
      measure,
      ...(kind !== 'count' && { currency }),
      ...(kind === 'minor_units' && { unit: 'minor' }),
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

function toTotal(kind: MeasureKind, stated: number | string): Money {
  if (kind !== 'amount') return BigInt(stated);
  const amount = parseMoney(String(stated), TOTAL_DIGITS);
  if (amount === undefined) throw new RangeError('An expected amount must be decimal text.');
  return amount;
}
