import { ManualClock } from '../../../../packages/client/test/manual-clock';
import { AfterImportTally } from '../after-import/after-import-tally';
import { afterImportTable, summaryTable } from './summary-table';
import { ValidationTally } from './validation-tally';

it('summarises a validation', () => {
  const clock = new ManualClock();
  const tally = new ValidationTally(clock);
  tally.valid = 10;
  tally.alreadyImported = 2;
  tally.recordRefused('required');
  tally.recordRefused('invalid');
  tally.recordRefused('invalid');
  clock.time += 8000;

  expect(tally.summary()).toMatchObject({
    accepted: 0,
    valid: 10,
    already_imported: 2,
    refused: { invalid: 2, required: 1 },
    unreachable: 0,
    seconds: 8,
    accounts_per_second: 0,
  });
  expect(Object.keys(tally.summary().refused)).toEqual(['invalid', 'required']);
});

it('shows refusals by code', () => {
  const tally = new ValidationTally(new ManualClock());
  tally.recordRefused('invalid_phone_number');
  const lines = summaryTable(tally.summary()).split('\n');
  const refused = lines.findIndex((line) => line.includes(' refused '));
  expect(lines.slice(refused).find((line) => line.includes('  invalid_phone_number'))).toMatch(/ 1 /);
});

it('shows after-import requests by endpoint and refusals by code', () => {
  const tally = new AfterImportTally();
  const [transactions, notes] = [tally.forEndpoint('transactions'), tally.forEndpoint('notes')];
  transactions.requests = 3;
  transactions.added = 12;
  transactions.refused.add('validation_error');
  notes.alreadyThere = 4;
  const lines = afterImportTable(tally.summary())
    .split('\n')
    .map((line) => line.replace(/[^\w ]/g, ''));
  const [notesRow, transactionsRow, codeRow] = lines.slice(-4, -1);
  expect(notesRow).toMatch(/^ notes +0 +0 +4 +0 +0 +$/);
  expect(transactionsRow).toMatch(/^ transactions +3 +12 +0 +0 +0 +1 +0 +$/);
  expect(codeRow).toMatch(/^ +validation_error +1 +$/);
});
