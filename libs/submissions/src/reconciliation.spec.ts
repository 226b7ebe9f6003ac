import { type Measure, MEASURE_KINDS, MEASURES, type MeasureValues } from '@portage/imports';
import { type MeasureTotals, reconcile, type ReconciliationSums } from './reconciliation';
import type { ReconciledMeasureView } from './reconciliation.dto';

const all = (value: bigint) =>
  Object.fromEntries(MEASURES.map((measure) => [measure, value])) as MeasureTotals;

const sumsOf = (received: bigint, refused: bigint, imported: bigint, erased = 0n): ReconciliationSums => ({
  received: all(received),
  refusedOrErrored: all(refused),
  imported: all(imported),
  erased: all(erased),
  wouldBeImported: all(0n),
  correctedSinceTotals: all(0n),
  missingDocuments: 2,
});

type Sums = [
  expected: Partial<MeasureValues>,
  sums: ReconciliationSums,
  currency: string,
  isFinished: boolean,
];

const differencesOf = (...given: Sums) =>
  reconcile(MEASURE_KINDS, ...given).measures.map(({ difference }) => difference);

const measureOf = (name: Measure, measures: readonly ReconciledMeasureView[]) =>
  measures.find(({ measure }) => measure === name);

describe('a reconciliation', () => {
  it('names the unit of each amount, and the documents that are not found yet', () => {
    const { measures } = reconcile(MEASURE_KINDS, {}, sumsOf(250n, 0n, 250n), 'EUR', true);
    expect(measures.filter(({ currency }) => currency !== undefined)).toMatchObject([
      { measure: 'statement_total', currency: 'EUR', unit: 'minor', imported: 250 },
      { measure: 'opening_balance', currency: 'EUR', imported: '2.50' },
      { measure: 'opening_debits', currency: 'EUR', imported: '2.50' },
      { measure: 'opening_credits', currency: 'EUR', imported: '2.50' },
    ]);
    expect(measures.filter(({ missing }) => missing !== undefined)).toMatchObject([
      { measure: 'documents', imported: 250, missing: 2, difference: 0 },
    ]);
  });

  it('compares the imported with the received and not refused where nothing is expected', () => {
    expect(reconcile(MEASURE_KINDS, {}, sumsOf(100n, 3n, 97n), 'GBP', true).reconciled).toBe(true);
    expect(differencesOf({}, sumsOf(100n, 3n, 96n), 'GBP', true)).toEqual(
      MEASURES.map((measure) => (/^opening_/.test(measure) ? '-0.01' : -1)),
    );
    expect(reconcile(MEASURE_KINDS, {}, sumsOf(100n, 3n, 96n), 'GBP', true).reconciled).toBe(false);
  });

  it('reconciles nothing that was not received, and nothing of which nothing was imported', () => {
    expect(reconcile(MEASURE_KINDS, {}, sumsOf(0n, 0n, 0n), 'GBP', true).reconciled).toBe(false);
    expect(reconcile(MEASURE_KINDS, { accounts: 0 }, sumsOf(3n, 3n, 0n), 'GBP', true).reconciled).toBe(false);
    expect(reconcile(MEASURE_KINDS, {}, sumsOf(3n, 2n, 1n), 'GBP', true).reconciled).toBe(true);
    expect(reconcile(MEASURE_KINDS, {}, sumsOf(3n, 2n, 0n, 1n), 'GBP', true).reconciled).toBe(true);
  });

  it('compares the imported with the expected', () => {
    const { reconciled, measures } = reconcile(
      MEASURE_KINDS,
      { accounts: 100, opening_balance: '-12.5' },
      sumsOf(100n, 3n, 97n),
      'EUR',
      true,
    );
    expect(reconciled).toBe(false);
    expect(measures[0]).toEqual({
      measure: 'accounts',
      expected: 100,
      received: 100,
      imported: 97,
      would_be_imported: 0,
      refused_or_errored: 3,
      erased: 0,
      corrected_since: 0,
      difference: -3,
    });
    expect(measureOf('opening_balance', measures)).toEqual({
      measure: 'opening_balance',
      currency: 'EUR',
      expected: '-12.5',
      received: '1.00',
      imported: '0.97',
      would_be_imported: '0.00',
      refused_or_errored: '0.03',
      erased: '0.00',
      corrected_since: '0.00',
      difference: '13.47',
    });
    expect(measures[1]).toMatchObject({ expected: null, difference: 0 });
  });

  it('accepts an expected zero as stated', () => {
    const { measures } = reconcile(MEASURE_KINDS, { debts: 0 }, sumsOf(1n, 0n, 1n), 'GBP', true);
    expect(measureOf('debts', measures)).toMatchObject({ expected: 0, difference: 1 });
  });

  it('counts erased accounts as imported', () => {
    expect(
      reconcile(MEASURE_KINDS, { accounts: 97 }, sumsOf(100n, 3n, 90n, 7n), 'GBP', true).reconciled,
    ).toBe(true);
  });

  it('counts rehearsed accounts as those that would be imported', () => {
    const sums = { ...sumsOf(100n, 3n, 7n), wouldBeImported: all(90n) };
    const { reconciled, measures } = reconcile(MEASURE_KINDS, { accounts: 97 }, sums, 'GBP', true);
    expect([reconciled, measures[0]]).toEqual([
      true,
      expect.objectContaining({ imported: 7, would_be_imported: 90, difference: 0 }),
    ]);
    expect(reconcile(MEASURE_KINDS, {}, { ...sums, wouldBeImported: all(89n) }, 'GBP', true).reconciled).toBe(
      false,
    );
  });

  it('counts what was corrected since the totals as imported', () => {
    const sums = { ...sumsOf(100n, 0n, 93n), correctedSinceTotals: all(7n) };
    const { reconciled, measures } = reconcile(MEASURE_KINDS, { accounts: 100 }, sums, 'GBP', true);
    expect([reconciled, measures[0]]).toEqual([
      true,
      expect.objectContaining({ corrected_since: 7, difference: 0 }),
    ]);
  });

  it('is not reconciled before every account has ended', () => {
    expect(reconcile(MEASURE_KINDS, {}, sumsOf(1n, 0n, 1n), 'GBP', false).reconciled).toBe(false);
  });

  it('is not reconciled where an expected total hides that something received is missing', () => {
    const kinds = { accounts: MEASURE_KINDS.accounts };
    const { reconciled, measures } = reconcile<'accounts'>(
      kinds,
      { accounts: 97 },
      sumsOf(100n, 0n, 97n),
      'GBP',
      true,
    );
    expect([measures[0]!.difference, reconciled]).toEqual([0, false]);
  });

  it('is exact for the amounts of a million accounts', () => {
    const large = 999_999_999_999_99n * 1_000_000n;
    const { measures } = reconcile(MEASURE_KINDS, {}, sumsOf(large, 0n, large - 1n), 'GBP', true);
    expect(measureOf('opening_balance', measures)).toMatchObject({
      received: '999999999999990000.00',
      difference: '-0.01',
    });
  });
});
