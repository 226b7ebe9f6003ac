import { FAULTS } from './faults';

const number = (index: number) => `external_account_number = '${FAULTS[0]!.key}-${index}'`;
const accountOf = (index: number) => `(SELECT id FROM account WHERE ${number(index)})`;
const processOf = (index: number) => `(SELECT id FROM import_process WHERE ${number(index)})`;

/** What the constraints prevent or nobody does, and by which finding it would be noticed. */
export const DAMAGES: readonly { what: string; damage: string; found: string[] }[] = [
  {
    what: 'a lost account',
    damage: `DELETE FROM account WHERE ${number(0)}`,
    found: ['processes without exactly one account', 'rows of customer that point at nothing'],
  },
  {
    what: 'a part of an account that is missing',
    damage: `DELETE FROM debt WHERE account_id = ${accountOf(1)}`,
    found: ['accounts alike with unlike numbers of rows in debt'],
  },
  {
    what: 'an account that nobody holds',
    damage: `DELETE FROM customer WHERE account_id = ${accountOf(2)}`,
    found: ['accounts without a customer'],
  },
  {
    what: 'an account that was created twice',
    damage: `
      INSERT INTO import_process_event (process_id, version, attempt, event)
      VALUES (${processOf(3)}, 1, 99, 'PROCESSED')`,
    found: ['processes without exactly one PROCESSED event', 'processes whose events are in no legal order'],
  },
  {
    what: 'an account that was never started',
    damage: `DELETE FROM import_process_event WHERE process_id = ${processOf(4)} AND event = 'STARTED'`,
    found: ['processes whose events are in no legal order'],
  },
  {
    what: 'another number in the process than in the account',
    damage: `UPDATE import_process SET account_number = 'A-ffffffff' WHERE ${number(5)}`,
    found: ['accounts that are not what their process says'],
  },
  {
    what: 'a process that is stuck',
    damage: `UPDATE import_process SET status = 'IN_PROGRESS', account_number = NULL WHERE ${number(6)}`,
    found: ['processes that have not come to their end'],
  },
  {
    what: 'a payload that is gone',
    damage: `DELETE FROM import_process_payload WHERE process_id = ${processOf(7)}`,
    found: ['processes without a payload'],
  },
];
