import { FAULTS } from './faults';

const number = (index: number) => `external_account_number = '${FAULTS[0]!.key}-${index}'`;
const accountOf = (index: number) => `(SELECT id FROM account WHERE ${number(index)})`;
const processOf = (index: number) => `(SELECT id FROM import_process WHERE ${number(index)})`;

/** Corruptions of the database, each with the violations that the checks must find. Together they cover all checks. */
export const CORRUPTIONS: readonly { title: string; sql: string; expected: string[] }[] = [
  {
    title: 'a lost account',
    sql: `DELETE FROM account WHERE ${number(0)}`,
    expected: ['processes without exactly one account', 'rows of customer without the referenced row'],
  },
  {
    title: 'a missing part of an account',
    sql: `DELETE FROM debt WHERE account_id = ${accountOf(1)}`,
    expected: ['different numbers of rows in debt for equal accounts'],
  },
  {
    title: 'an account without a customer',
    sql: `DELETE FROM customer WHERE account_id = ${accountOf(2)}`,
    expected: ['accounts without a customer'],
  },
  {
    title: 'an account that was created twice',
    sql: `
      INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
      SELECT id, 1, 99, 'PROCESSED', supplier_id, event_transaction_id() FROM import_process WHERE id = ${processOf(3)}`,
    expected: [
      'processes without exactly one PROCESSED event',
      'processes with an illegal sequence of events',
    ],
  },
  {
    title: 'an account that was never accepted',
    sql: `DELETE FROM import_process_event WHERE process_id = ${processOf(4)} AND event = 'SCHEDULED'`,
    expected: ['processes with an illegal sequence of events'],
  },
  {
    title: 'a process with the number of another account',
    sql: `UPDATE import_process SET account_number = 'A-ffffffff' WHERE ${number(5)}`,
    expected: ['accounts whose numbers differ from those of their process'],
  },
  {
    title: 'an unfinished process',
    sql: `UPDATE import_process SET status = 'IN_PROGRESS', account_number = NULL WHERE ${number(6)}`,
    expected: ['processes that were not imported'],
  },
  {
    title: 'a missing payload',
    sql: `DELETE FROM import_process_payload WHERE process_id = ${processOf(7)}`,
    expected: ['processes without a payload'],
  },
];
