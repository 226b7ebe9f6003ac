import { AdditionTotals } from './addition-totals';
import { type BookItem, parserOf } from './book-line';

function totalsOf(...lines: object[]): object {
  const totals = new AdditionTotals();
  for (const line of lines)
    totals.add(parserOf('additions')({ number: 1, text: JSON.stringify(line) }, 10_000) as BookItem);
  return totals.toExpected();
}

it('sums transactions by type to the penny, statements in minor units, and counts the others', () => {
  const transactions = [
    { type: 'PAYMENT', amount: '0.10' },
    { type: 'PAYMENT', amount: 0.2 },
    { type: 'CHARGE', amount: '-12.5' },
    { type: 'CREDIT', amount: 'much' },
  ];
  expect(
    totalsOf(
      { transactions: { transactions } },
      { historical_statements: { statements: [{ gross_amount: 1250 }, { gross_amount: -50 }] } },
      { notes: { notes: [{}, {}] } },
      { payment_instruction: {} },
      { unknown: {} },
    ),
  ).toEqual({
    lines: 5,
    transactions: 4,
    payments: 2,
    payment_total: '0.30',
    charges: 1,
    charge_total: '-12.50',
    credits: 1,
    credit_total: '0.00',
    statements: 2,
    statement_total: 1200,
    notes: 2,
    payment_instructions: 1,
  });
});
