import type { Verdict } from '@portage/testing/promises';
import type { Struck } from '../strike-a-book';

/** Damages of the database, each with the violations that the checker must find. Together they cover all its checks. */
const damages = (key: string): readonly { sql: string; expected: readonly string[] }[] => {
  const number = (index: number) => `external_account_number = '${key}-${index}'`;
  const accountOf = (index: number) => `(SELECT id FROM account WHERE ${number(index)})`;
  const processOf = (index: number) => `(SELECT id FROM import_process WHERE ${number(index)})`;
  return [
    {
      sql: `DELETE FROM account WHERE ${number(0)}`,
      expected: [`${key}-0: has 0 accounts`, 'rows of customer without the referenced row'],
    },
    {
      sql: `DELETE FROM debt WHERE account_id = ${accountOf(1)}`,
      expected: ['different numbers of rows in debt for equal accounts'],
    },
    {
      sql: `DELETE FROM customer WHERE account_id = ${accountOf(2)}`,
      expected: [`${key}-2: has an account without a customer`],
    },
    {
      sql: `INSERT INTO import_process_event (process_id, version, attempt, event, supplier_id, transaction_id)
        SELECT id, 1, 99, 'PROCESSED', supplier_id, event_transaction_id() FROM import_process
        WHERE id = ${processOf(3)}`,
      expected: [`${key}-3: has 2 PROCESSED events`, `${key}-3: is PROCESSED after`],
    },
    {
      sql: `DELETE FROM import_process_event WHERE process_id = ${processOf(4)} AND event = 'SCHEDULED'`,
      expected: [`${key}-4: is PROCESSED after`],
    },
    {
      sql: `UPDATE import_process SET account_number = 'A-ffffffff' WHERE ${number(5)}`,
      expected: [`${key}-5: has an account with other numbers`],
    },
    {
      sql: `UPDATE import_process SET status = 'IN_PROGRESS', account_number = NULL WHERE ${number(6)}`,
      expected: [
        `${key}-6: was accepted, and ended IN_PROGRESS`,
        `${key}-6: is IN_PROGRESS after`,
        'counts that differ from the tables',
      ],
    },
    {
      sql: `DELETE FROM import_process_payload WHERE process_id = ${processOf(7)}`,
      expected: [`${key}-7: has no payload`],
    },
  ];
};

/** Damages the database of a run, without constraint checks and without the protection of events, and checks it again. */
export async function findDamages(
  { installation, key }: Struck,
  checkAgain: () => Promise<Verdict>,
): Promise<void> {
  // The worker would repair some of them.
  await installation.stopPrograms(installation.workers);
  for (const { sql } of damages(key))
    await installation.sql(
      `SET LOCAL session_replication_role = replica;
       ALTER TABLE import_process_event DISABLE TRIGGER import_process_event_kept; ${sql}`,
    );
  const { lost, doubled, violations } = await checkAgain();
  const missed = damages(key)
    .flatMap(({ expected }) => expected)
    .filter((expected) => !violations.some((violation) => violation.includes(expected)));
  expect({ lost, doubled, missed }).toEqual({ lost: 1, doubled: 1, missed: [] });
}
