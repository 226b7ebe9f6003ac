import { systemClock } from '@portage/client';
import { ManualClock } from '../../../../packages/client/test/manual-clock';
import { summaryTable } from './summary-table';
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

it('shows additions by kind, and lines that have added nothing by code', () => {
  const additions = {
    payment_instruction: {
      lines: 3,
      added: 1,
      existing: 0,
      different: 0,
      moved: 0,
      failed: { instruction_expired: 2 },
    },
  };
  const table = summaryTable({ ...new ValidationTally(systemClock).summary(), additions });
  expect(table).toContain('lines a second');
  const words = table.replaceAll(/[^a-z_0-9]+/g, ' ');
  expect(words).toContain(
    'additions lines added moved existing different failed payment instruction 3 1 0 0 0 2',
  );
  expect(words).toContain('instruction_expired 2');
});
