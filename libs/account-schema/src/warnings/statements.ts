import { eachRepeat } from '../rules/engine/rule';
import { findOverlaps, periodsOf } from '../rules/terms/period';
import { isGiven } from '../rules/terms/is-given';
import { quote } from '../rules/terms/quote';
import { type Warning, warning } from './warning';

/** Warnings about historical statements. */
export const STATEMENT_WARNINGS: readonly Warning[] = [
  warning({
    code: 'gross_amount_with_decimals',
    on: 'statement',
    field: 'gross_amount',
    reason: 'The amount is in minor currency units (pence), which have no decimals. It is stored as sent.',
    mend: 'send pence instead of pounds, without decimals.',
    breach: ({ gross_amount: amount }) =>
      isGiven(amount) &&
      amount.includes('.') &&
      `The amount is ${amount}, but minor currency units have no decimals.`,
  }),
  warning({
    code: 'statement_issued_before_its_end',
    on: 'statement',
    field: 'issued_date',
    reason: 'A statement is issued once its period is over.',
    mend: 'correct `issued_date` or the period.',
    breach: ({ issued_date: issued, bill_period_to_date: end }) =>
      isGiven(issued) &&
      issued < end &&
      `The statement was issued on ${issued}, before the end of its period on ${end}.`,
  }),
  warning({
    code: 'statement_issued_in_future',
    on: 'statement',
    field: 'issued_date',
    needs: ['clock'],
    reason: 'A historical statement was issued already.',
    mend: 'send the day on which the statement was issued.',
    breach: ({ issued_date: issued }, { today }) =>
      isGiven(issued) && issued > today && `The statement was issued on ${issued}, which is after today.`,
  }),
  warning({
    code: 'statement_period_longer_than_a_year',
    on: 'statement',
    field: 'bill_period_to_date',
    reason: 'Customers are billed at least once a year.',
    mend: 'correct the days of the period.',
    breach: ({ bill_period_from_date: from, bill_period_to_date: to }) =>
      Date.parse(to) - Date.parse(from) > MAX_PERIOD_DAYS * DAY_MS &&
      `The statement is for more than a year, from ${from} to ${to}.`,
  }),
  warning({
    code: 'statement_number_without_digits',
    on: 'statement',
    field: 'number',
    reason: 'Customers quote the number of a statement.',
    mend: 'send the number that the statement shows, or leave it out.',
    breach: ({ number }) =>
      isGiven(number) &&
      !/\p{Nd}/u.test(number) &&
      `The number of the statement is ${quote(number)}, without a digit.`,
  }),
  warning({
    code: 'statement_periods_overlap',
    on: 'account',
    field: 'statements.<i>.bill_period_from_date',
    cost: 'sorting',
    reason: 'A day is billed on one statement, unless one replaces the other.',
    mend: 'correct the days of the period, or leave out the statement that was replaced.',
    breach: ({ statements }) =>
      findOverlaps(periodsOf(statements, 'bill_period_from_date', 'bill_period_to_date'), true).map(
        ({ index, start }) => ({
          indexes: [index],
          detail: `The period begins on ${start}, within that of another statement.`,
        }),
      ),
  }),
  warning({
    code: 'statement_number_repeated',
    on: 'account',
    field: 'statements.<i>.number',
    reason: 'A number identifies one statement to the customer.',
    mend: 'send the number that each statement shows.',
    breach: ({ statements }) =>
      eachRepeat(
        statements,
        (one) => one.number,
        (first, { number = '' }) => `The number ${quote(number)} is that of statements.${first} as well.`,
      ),
  }),
  warning({
    code: 'statement_document_repeated',
    on: 'account',
    field: 'statements.<i>.statement_path',
    reason: 'Each statement has a document of its own.',
    mend: 'send the path of the document of each statement.',
    breach: ({ statements }) =>
      eachRepeat(
        statements,
        (one) => one.statement_path,
        (first, { statement_path: path = '' }) =>
          `The document ${quote(path)} is that of statements.${first} as well.`,
      ),
  }),
];

/** A year, and the month by which a bill may be late. */
const MAX_PERIOD_DAYS = 400;
const DAY_MS = 86_400_000;
